"""What people may be called (docs/protocol.md, "Who is calling")."""

import secrets
import unicodedata

from server.errors import Code, Refused

SHORTEST, LONGEST = 2, 20
_MOST_TYPED = 100
"""Code points before composition. Of endless rows of marks, composing alone would take seconds."""

DELETED = "deleted player"
"""Shown for a user who is no more. No name holds a blank, so nobody can take it."""

_RESERVED = {"me", "guest", "deleted"}
_RESERVED_STARTS = ("guest-", "deleted-", "deleted_")

_INVISIBLE = {
    *range(0x115F, 0x1161), 0x3164, 0xFFA0,  # Hangul fillers: letters that show nothing
    0x034F, *range(0x17B4, 0x17B6), *range(0x180B, 0x1810), *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),  # joiners and variation selectors: marks that show nothing
}  # fmt: skip
"""Letters and marks that nobody sees: two names that look the same would differ by them."""

_GUEST_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def checked(text: str) -> str:
    """The name that `text` asks for, in NFC.

    Raises:
        Refused: `bad_name`, with the rule that it breaks; the reason is `reserved` where nobody may have it.
    """
    name = unicodedata.normalize("NFC", text[:_MOST_TYPED])
    if len(text) > _MOST_TYPED or not SHORTEST <= len(name) <= LONGEST:
        raise _bad(f"A name has {SHORTEST} to {LONGEST} characters.")
    if not all(_is_part(character) for character in name):
        raise _bad("A name has only letters, digits, _ and -.")
    if not _is_letter_or_digit(name[0]):
        raise _bad("A name begins with a letter or a digit.")
    if key(name) in _RESERVED or key(name).startswith(_RESERVED_STARTS):
        raise _bad("This name is reserved. Choose another.", reason="reserved")
    return name


def key(name: str) -> str:
    """What a name is unique by: names that differ only in case or width of letters share it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name[:_MOST_TYPED]).casefold())


def of_guest() -> str:
    """A name for a new guest. Two guests may share one by chance; nothing hangs on it."""
    return "Guest-" + "".join(secrets.choice(_GUEST_ALPHABET) for _ in range(5))


def _bad(detail: str, reason: str | None = None) -> Refused:
    return Refused(Code.BAD_NAME, detail, reason=reason)


def _is_part(character: str) -> bool:
    if ord(character) in _INVISIBLE:
        return False
    return character in "_-" or _is_letter_or_digit(character) or unicodedata.category(character)[0] == "M"


def _is_letter_or_digit(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] == "L" or category == "Nd"
