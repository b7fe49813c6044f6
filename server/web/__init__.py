"""HTTP and WebSocket: parse, call, answer."""
