"""Frames of one socket that leave together."""

import asyncio


class Gathering(asyncio.Transport):
    """A transport that keeps what is written to it until it is flushed to the real one.

    uvloop hands each write to the kernel at once. On a busy server that costs more than the move that the
    frame tells of, so the push of a move and the answer beside it go in one write.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        self._kept: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keeps data; it must not change any more."""
        self._kept.append(bytes(data))

    def is_closing(self) -> bool:
        """Whether the real transport takes no more."""
        return self._transport.is_closing()

    def flush(self) -> None:
        """Writes what has been kept, or drops it if nobody is there any more: uvloop would raise."""
        if not self.is_closing():
            self._transport.write(b"".join(self._kept))
        self._kept.clear()
