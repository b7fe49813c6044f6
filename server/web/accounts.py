"""The calls about who is calling: guests, accounts, devices, settings."""

import asyncio

import msgspec
from aiohttp import hdrs, web
from msgspec import UNSET, UnsetType

from server.accounts import names
from server.accounts.devices import describe
from server.accounts.export import Export, ExportedRating, export
from server.accounts.model import Caller, Left, Locale, Preferences, SessionId, SignedIn, Theme
from server.clock import rfc3339
from server.daily.ratings import moved
from server.errors import Code, Refused
from server.log.model import UserId
from server.web.caller import address_of, bearer_of, clear_session, renew_session, set_session
from server.web.endpoint import Moment, Routes, answer, no_content
from server.web.keys import ACCOUNTS, DAILY, LIMITS, LOG, ROOMS, SOCKETS

routes = Routes()


class User(msgspec.Struct):
    """A user, as the user is told."""

    id: UserId
    name: str
    guest: bool


class SignedInAnswer(msgspec.Struct):
    """A device has been signed in. The cookie carries the same token."""

    user: User
    token: str


class Registration(msgspec.Struct, forbid_unknown_fields=True):
    """Name and password of an account to be."""

    name: str
    password: str


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """Either a name and its password, or a link code."""

    name: str | UnsetType = UNSET
    password: str | UnsetType = UNSET
    link_code: str | UnsetType = UNSET


class Device(msgspec.Struct):
    """One signed-in device."""

    id: SessionId
    device: str
    created_at: Moment
    seen_at: Moment
    current: bool
    """Whether it is the one that asks."""


class Devices(msgspec.Struct):
    """The signed-in devices of a user, that seen last first."""

    sessions: list[Device]


class LinkCode(msgspec.Struct):
    """A code that signs one more device in, once."""

    code: str
    expires_at: Moment


class SettingsPatch(msgspec.Struct, forbid_unknown_fields=True):
    """The settings to change; the others stay."""

    move_errors: bool | UnsetType = UNSET
    placement_helper: bool | UnsetType = UNSET
    letter_keys: bool | UnsetType = UNSET
    theme: Theme | UnsetType = UNSET


class MePatch(msgspec.Struct, forbid_unknown_fields=True):
    """What to change of an account."""

    settings: SettingsPatch | UnsetType = UNSET
    locale: Locale | UnsetType | None = UNSET


class Me(msgspec.Struct):
    """An account, as its owner sees it."""

    user: User
    settings: Preferences
    locale: Locale | None
    created_at: Moment


class PasswordChange(msgspec.Struct, forbid_unknown_fields=True):
    """The password as it was and as it shall be."""

    old: str
    new: str


@routes.post("/api/guests", {201: SignedInAnswer})
async def new_guest(request: web.Request) -> web.Response:
    """Makes a new guest, signed in on this device."""
    with request.app[LIMITS].newcomer(address_of(request)):
        signed_in = await request.app[ACCOUNTS].new_guest(_device(request))
    return _welcome(request, signed_in)


@routes.post("/api/users", {201: SignedInAnswer})
async def register(request: web.Request, caller: Caller | None, body: Registration) -> web.Response:
    """Registers an account. A guest who calls becomes it: same id, all games kept."""
    accounts = request.app[ACCOUNTS]
    if caller is not None and caller.guest:
        account = await accounts.upgrade(caller, body.name, body.password)
        await request.app[ROOMS].rename(account.user)
        return _welcome(request, SignedIn(account, await _renewed_token(request, account)))
    with request.app[LIMITS].newcomer(address_of(request)):
        signed_in = await accounts.register(body.name, body.password, _device(request))
    return _welcome(request, signed_in)


@routes.post("/api/sessions", {201: SignedInAnswer})
async def sign_in(request: web.Request, caller: Caller | None, body: Credentials) -> web.Response:
    """Signs this device in. The games of a guest who calls move to the account."""
    accounts, limits, address = request.app[ACCOUNTS], request.app[LIMITS], address_of(request)
    match body:
        case Credentials(name=str(name), password=str(password), link_code=msgspec.UNSET):
            with limits.sign_in(address, names.key(name)):
                signed_in, left = await accounts.sign_in(name, password, _device(request), caller, moved)
        case Credentials(name=msgspec.UNSET, password=msgspec.UNSET, link_code=str(code)):
            with limits.link_code(address):
                signed_in, left = await accounts.redeem(code, _device(request), caller, moved)
        case _:
            raise Refused(Code.BAD_REQUEST, "Give either `name` and `password`, or `link_code`.")
    await _forget(request, left)
    for session in signed_in.evicted:
        request.app[SOCKETS].close_session(session)
    return _welcome(request, signed_in)


@routes.delete("/api/sessions/current", {204: None})
async def sign_out(request: web.Request, caller: Caller) -> web.Response:
    """Signs this device out."""
    await request.app[ACCOUNTS].sessions.close(caller.user, caller.session)
    request.app[SOCKETS].close_session(caller.session)
    goodbye = no_content()
    clear_session(request, goodbye)
    return goodbye


@routes.get("/api/sessions", {200: Devices})
async def devices(request: web.Request, caller: Caller) -> web.Response:
    """Lists the caller's signed-in devices."""
    sessions = await request.app[ACCOUNTS].sessions.of(caller.user)
    return answer(
        Devices(
            [
                Device(
                    each.id,
                    each.device,
                    rfc3339(each.created_at),
                    rfc3339(each.seen_at),
                    current=each.id == caller.session,
                )
                for each in sessions
            ]
        )
    )


@routes.delete("/api/sessions/{id}", {204: None})
async def sign_device_out(request: web.Request, caller: Caller, id: SessionId) -> web.Response:
    """Signs one of the caller's devices out."""
    if not await request.app[ACCOUNTS].sessions.close(caller.user, id):
        raise Refused(Code.NOT_FOUND, "You have no such device. List them again.")
    request.app[SOCKETS].close_session(id)
    return no_content()


@routes.post("/api/link-codes", {201: LinkCode})
async def new_link_code(request: web.Request, caller: Caller) -> web.Response:
    """Makes a code that signs one more device in within ten minutes. The code before it ends."""
    code, expires_at = await request.app[ACCOUNTS].link_code(caller.user)
    return answer(LinkCode(code, rfc3339(expires_at)), 201)


@routes.get("/api/me", {200: Me})
async def me(request: web.Request, caller: Caller) -> web.Response:
    """Tells the caller's own account."""
    profile = await request.app[ACCOUNTS].profile(caller.user)
    account = answer(Me(_user(caller), profile.settings, profile.locale, rfc3339(profile.created_at)))
    renew_session(request, account, caller.session)
    return account


@routes.get("/api/me/export", {200: Export})
async def export_me(request: web.Request, caller: Caller) -> web.Response:
    """Gives everything that is kept about the caller."""
    request.app[LIMITS].export(caller.session)
    rating = await request.app[DAILY].players.rating(caller.user)
    rated = None if rating is None else ExportedRating(rating.mu, rating.sigma, rating.games)
    written = await export(request.app[ACCOUNTS], request.app[LOG], caller, rated)
    # A long one takes a while.
    file = answer(await asyncio.to_thread(msgspec.json.encode, written))
    file.headers[hdrs.CONTENT_DISPOSITION] = 'attachment; filename="heartline.json"'
    return file


@routes.patch("/api/me", {200: Me})
async def change_me(request: web.Request, caller: Caller, body: MePatch) -> web.Response:
    """Changes the settings given, and the locale if it is given; the others stay."""
    settings = {} if body.settings is UNSET else msgspec.to_builtins(body.settings)
    await request.app[ACCOUNTS].change(caller.user, settings, body.locale)
    return await me(request, caller)


@routes.patch("/api/me/password", {204: None})
async def change_password(request: web.Request, caller: Caller, body: PasswordChange) -> web.Response:
    """Sets a new password and signs the other devices out."""
    with request.app[LIMITS].own_password(caller.user):
        closed = await request.app[ACCOUNTS].change_password(caller, body.old, body.new)
    for session in closed:
        request.app[SOCKETS].close_session(session)
    return no_content()


@routes.delete("/api/me", {204: None})
async def delete_me(request: web.Request, caller: Caller) -> web.Response:
    """Removes the caller: name, password, settings, devices. Finished games stay, without the name."""
    for session in await request.app[ACCOUNTS].delete(caller.user, request.app[ROOMS].depart):
        request.app[SOCKETS].close_session(session)
    await request.app[ROOMS].rename(caller.user)
    goodbye = no_content()
    clear_session(request, goodbye)
    return goodbye


def _device(request: web.Request) -> str:
    return describe(request.headers.get(hdrs.USER_AGENT))


def _user(caller: Caller) -> User:
    return User(caller.user, caller.name, caller.guest)


def _welcome(request: web.Request, signed_in: SignedIn) -> web.Response:
    welcome = answer(SignedInAnswer(_user(signed_in.caller), signed_in.token), 201)
    set_session(request, welcome, signed_in.token, signed_in.caller.session)
    return welcome


async def _renewed_token(request: web.Request, caller: Caller) -> str:
    """The token of a device that has just become an account's.

    A cookie may have been planted by somebody who knows it, so it is worth nothing any more. A bearer token
    stays as it is: only its owner can have sent it.
    """
    bearer = bearer_of(request)
    return await request.app[ACCOUNTS].sessions.renew(caller.session) if bearer is None else bearer


async def _forget(request: web.Request, left: Left) -> None:
    """Lets the node forget a guest who has become part of an account."""
    await request.app[ROOMS].forget(left.games)
    for session in left.sessions:
        request.app[SOCKETS].close_session(session)
