"""The headers that every answer carries."""

from aiohttp import hdrs, web

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    hdrs.SERVER: "heartline",
}


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:  # noqa: ARG001
    """Puts them on, just before an answer leaves. What depends on the caller is stored nowhere."""
    response.headers.update(_ALWAYS)
    response.headers.setdefault(hdrs.CACHE_CONTROL, "no-store")
