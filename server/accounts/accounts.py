"""Users: guests and accounts, what they are called, how they come in and how they leave."""

import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import Row, Update, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.accounts import link_codes, names
from server.accounts.model import NOTHING, Caller, Left, Locale, Preferences, Profile, SessionId, SignedIn
from server.accounts.passwords import Passwords
from server.accounts.schema import users
from server.accounts.sessions import Sessions
from server.clock import Clock
from server.errors import Code, Refused
from server.log import transfer
from server.log.database import fault, patient, prompt
from server.log.direct import fetch
from server.log.log import SECOND_TRY
from server.log.model import GameId, UserId
from server.log.removal import remove_unfinished
from server.log.schema import results

Moved = Callable[[AsyncConnection, Collection[GameId]], Awaitable[None]]
"""Is told, within the transaction, of games that change hands."""


class Accounts:
    """The users of this card room. A guest is a user without a password, whose name is not theirs alone.

    `sessions` are the devices they are signed in on.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._clock = clock
        self._passwords = Passwords()
        self.sessions = Sessions(engine, clock)

    def close(self) -> None:
        """Ends what runs beside the event loop."""
        self._passwords.close()

    async def new_guest(self, device: str) -> SignedIn:
        """A new guest, signed in on `device`."""
        return await self._new_user(names.of_guest(), None, None, device)

    async def register(self, name: str, password: str, device: str) -> SignedIn:
        """A new account, signed in on `device`.

        Raises:
            Refused: `bad_name`, `weak_password`, `name_taken`.
        """
        name = await self._free_name(name)
        return await self._new_user(name, names.key(name), await self._passwords.hash(password), device)

    async def upgrade(self, guest: Caller, name: str, password: str) -> Caller:
        """Makes the guest an account: the same user, on the same devices, with all games.

        Raises:
            Refused: as `register`; `name_taken` also when the guest has just become an account.
        """
        name = await self._free_name(name)
        kept = await self._passwords.hash(password)
        statement = (
            update(users)
            .where(users.c.id == guest.user, users.c.name_key.is_(None))
            .values(name=name, name_key=names.key(name), password_hash=kept)
        )
        await self._upgrade(guest.user, statement)
        return Caller(guest.user, name, False, guest.session)

    async def sign_in(
        self, name: str, password: str, device: str, guest: Caller | None = None, moved: Moved | None = None
    ) -> tuple[SignedIn, Left]:
        """Signs a device in by name and password. The games of `guest`, who called, move to the account.

        `moved` is told of them before that is committed.

        Raises:
            Refused: `bad_credentials`. An unknown name and a wrong password cannot be told apart.
        """
        user, kept = await self._find(name)
        if not await self._passwords.matches(kept, password) or user is None:
            raise _wrong()

        async def find(connection: AsyncConnection) -> UserId:
            await _lock(connection, user, guest)
            # The password may have been replaced while it was checked.
            still = select(users.c.id).where(users.c.id == user, users.c.password_hash == kept)
            if (await connection.execute(still.with_for_update(read=True))).one_or_none() is None:
                raise _wrong()
            return user

        return await self._enter(find, device, guest, moved)

    async def redeem(
        self, code: str, device: str, guest: Caller | None = None, moved: Moved | None = None
    ) -> tuple[SignedIn, Left]:
        """Signs a device in by a link code, as `sign_in` does by password.

        Raises:
            Refused: `bad_credentials`, the code is wrong, used or too old.
        """
        return await self._enter(partial(self._redeem, code, guest), device, guest, moved)

    @patient
    async def link_code(self, user: UserId) -> tuple[str, datetime]:
        """A code that signs one more device of the user in, and when it ends.

        Raises:
            Refused: `not_signed_in`, the user is no more.
        """
        # Locked: a guest may become part of an account at this very moment.
        kept = select(users.c.id).where(users.c.id == user).with_for_update(read=True, key_share=True)
        async with self._engine.begin() as connection:
            if (await connection.execute(kept)).one_or_none() is None:
                raise _gone()
            return await link_codes.issue(connection, user, self._clock())

    @patient
    async def profile(self, user: UserId) -> Profile:
        """What the account remembers for its owner.

        Raises:
            Refused: `not_signed_in`, the user is no more.
        """
        rows = await fetch(self._engine, "SELECT settings, locale, created_at FROM users WHERE id = $1", user)
        if not rows:
            raise _gone()
        settings, locale, created_at = rows[0]
        return Profile(msgspec.convert(settings, Preferences), locale, created_at)

    @patient
    async def change(
        self, user: UserId, settings: Mapping[str, Any], locale: Locale | UnsetType | None = UNSET
    ) -> None:
        """Sets the given settings, and the locale if it is given; the others stay."""
        values: dict[str, Any] = {"settings": users.c.settings.concat(dict(settings))}
        if locale is not UNSET:
            values["locale"] = locale
        async with self._engine.begin() as connection:
            await connection.execute(update(users).where(users.c.id == user).values(**values))

    async def change_password(self, caller: Caller, old: str, new: str) -> list[SessionId]:
        """Sets a new password and signs the caller's other devices out; answers which.

        Raises:
            Refused: `bad_credentials`, the old one is wrong or there is none; `weak_password`.
        """
        kept = await self._password_of(caller.user)
        if not await self._passwords.matches(kept, old):
            raise _wrong_password()
        return await self._replace_password(caller, kept, await self._passwords.hash(new))

    @prompt
    async def rename(self, user: UserId, name: str) -> None:
        """Gives an account another name.

        Raises:
            Refused: `bad_name`, `name_taken`.
        """
        name = names.checked(name)
        statement = update(users).where(users.c.id == user, users.c.name_key.is_not(None))
        try:
            async with self._engine.begin() as connection:
                await connection.execute(statement.values(name=name, name_key=names.key(name)))
        except IntegrityError:
            raise _taken() from None
        self.sessions.forget_user(user)

    async def delete(self, user: UserId, depart: Callable[[UserId], Awaitable[None]]) -> list[SessionId]:
        """Removes the person: name, password, settings, devices, solitaires that are not over.

        Answers the sessions that ended. Other games keep the id, which from now on is nobody's. So `depart`
        takes him from all tables that are not over, where others would wait for him.

        Raises:
            Refused: `unavailable`. Then he may have left some of them.
        """
        await depart(user)
        closed = await self._remove(user)
        # From those too at which another device of his has sat down meanwhile: now it can do so no more.
        await depart(user)
        return closed

    @patient
    async def enter_board(self, user: UserId) -> None:
        """Has the user's ranked try of today count for its board, unless the user is a guest still."""
        async with self._engine.begin() as connection:
            await self._enter_board(connection, user)

    async def find(self, name: str) -> UserId | None:
        """The account of this name, in any case and width of its letters."""
        return (await self._find(name))[0]

    @patient
    async def names(self, ids: Collection[UserId]) -> dict[UserId, str]:
        """What these users are called; of one who is no more, that."""
        rows = await fetch(self._engine, "SELECT id, name FROM users WHERE id = ANY($1)", list(ids))
        found = {row["id"]: row["name"] for row in rows}
        return {user: found.get(user, names.DELETED) for user in ids}

    @patient
    async def results(self, user: UserId, played: Collection[GameId]) -> Sequence[Row[Any]]:
        """The user's rows of `results` in these games."""
        query = select(results).where(results.c.game_id.in_(played), results.c.user_id == user)
        async with self._single.connect() as connection:
            return (await connection.execute(query)).all()

    @patient
    async def _find(self, name: str) -> tuple[UserId | None, str | None]:
        try:
            key = names.key(names.checked(name))
        except Refused:
            return None, None
        rows = await fetch(self._engine, "SELECT id, password_hash FROM users WHERE name_key = $1", key)
        return (rows[0]["id"], rows[0]["password_hash"]) if rows else (None, None)

    async def _free_name(self, name: str) -> str:
        """The name, if nobody has it yet. Asked before the costly hash; the database has the last word."""
        name = names.checked(name)
        if await self.find(name) is not None:
            raise _taken()
        return name

    @prompt
    async def _new_user(self, name: str, key: str | None, kept: str | None, device: str) -> SignedIn:
        user = UserId(secrets.token_urlsafe(9))
        row = {"id": user, "name": name, "name_key": key, "password_hash": kept, "created_at": self._clock()}
        session, token, opening = self.sessions.opening(user, device)
        try:
            async with self._single.connect() as connection:
                # In one statement: a visitor waits for it.
                await connection.execute(opening.add_cte(insert(users).values(**row).cte()))
        except IntegrityError:
            raise _taken() from None
        return SignedIn(Caller(user, name, key is None, session), token)

    @prompt
    async def _remove(self, user: UserId) -> list[SessionId]:
        async with self._engine.begin() as connection:
            closed = await self._delete(connection, user)
            await remove_unfinished(connection, [user])
        self.sessions.forget(closed)
        return closed

    @prompt
    async def _upgrade(self, guest: UserId, statement: Update) -> None:
        try:
            async with self._engine.begin() as connection:
                if not (await connection.execute(statement)).rowcount:
                    raise _taken()
                await self._enter_board(connection, guest)
        except IntegrityError:
            raise _taken() from None
        self.sessions.forget_user(guest)

    @patient
    async def _password_of(self, user: UserId) -> str | None:
        rows = await fetch(self._engine, "SELECT password_hash FROM users WHERE id = $1", user)
        return rows[0]["password_hash"] if rows else None

    @prompt
    async def _replace_password(self, caller: Caller, old: str | None, new: str) -> list[SessionId]:
        statement = update(users).where(users.c.id == caller.user, users.c.password_hash == old)
        async with self._engine.begin() as connection:
            if not (await connection.execute(statement.values(password_hash=new))).rowcount:
                raise _wrong_password()
            closed = await self.sessions.close_all(connection, caller.user, but=caller.session)
        self.sessions.forget(closed)
        return closed

    async def _redeem(self, code: str, guest: Caller | None, connection: AsyncConnection) -> UserId:
        now = self._clock()
        user = await link_codes.whose(connection, code, now)
        if user is not None:
            await _lock(connection, user, guest)
        if user is None or not await link_codes.use_up(connection, code, now):
            raise Refused(
                Code.BAD_CREDENTIALS, "This link code is wrong, used or too old. Ask for a new one."
            )
        return user

    @prompt
    async def _enter(
        self,
        find: Callable[[AsyncConnection], Awaitable[UserId]],
        device: str,
        guest: Caller | None,
        moved: Moved | None,
    ) -> tuple[SignedIn, Left]:
        """Signs a device in as the user whom `find` locks, who takes in the guest: all of it or nothing."""
        while True:
            try:
                async with self._engine.begin() as connection:
                    user = await find(connection)
                    signed_in = await self._open(connection, user, device)
                    left = NOTHING
                    if guest is not None and guest.guest and guest.user != user:
                        left = await self._absorb(connection, guest.user, user)
                    if moved is not None:
                        await moved(connection, left.games)
            except IntegrityError as error:
                # The account began its own try while we looked.
                if fault(error) != SECOND_TRY:
                    raise
            else:
                self.sessions.forget(left.sessions)
                self.sessions.forget(signed_in.evicted)
                return signed_in, left

    async def _open(self, connection: AsyncConnection, user: UserId, device: str) -> SignedIn:
        # Locked, so that nobody deletes the user before the session is there.
        query = select(users.c.name, users.c.name_key.is_(None)).where(users.c.id == user)
        row = (await connection.execute(query.with_for_update(read=True))).one_or_none()
        if row is None:
            raise Refused(Code.BAD_CREDENTIALS, "This account is no more. Sign in to another.")
        name, is_guest = row
        session, token, evicted = await self.sessions.open(connection, user, device)
        return SignedIn(Caller(user, name, is_guest, session), token, evicted)

    async def _absorb(self, connection: AsyncConnection, guest: UserId, user: UserId) -> Left:
        """Makes the guest part of the user, unless he is an account by now."""
        still = select(users.c.id).where(users.c.id == guest, users.c.name_key.is_(None)).with_for_update()
        if (await connection.execute(still)).one_or_none() is None:
            return NOTHING
        games = await transfer.lock_games(connection, guest)
        await transfer.move_seats(connection, games, guest, user)
        await self._enter_board(connection, user)
        return Left(games, await self._delete(connection, guest))

    async def _enter_board(self, connection: AsyncConnection, user: UserId) -> None:
        # Locked, guest or not: a registration under way ends first, and one that follows finds the games.
        key = select(users.c.name_key).where(users.c.id == user).with_for_update(read=True)
        if await connection.scalar(key) is not None:
            await transfer.enter_board(connection, user, self._clock().date())

    async def _delete(self, connection: AsyncConnection, user: UserId) -> list[SessionId]:
        closed = await self.sessions.close_all(connection, user)
        await connection.execute(delete(users).where(users.c.id == user))
        return closed


async def _lock(connection: AsyncConnection, user: UserId, guest: Caller | None) -> None:
    """Locks a user and the guest who becomes part of him, before all else that is theirs.

    In the order of their ids: two guests who sign in to each other's accounts do not wait in a ring.
    """
    if guest is not None:
        both = select(users.c.id).where(users.c.id.in_([user, guest.user]))
        await connection.execute(both.order_by(users.c.id).with_for_update())


def _gone() -> Refused:
    return Refused(Code.NOT_SIGNED_IN, "This account is no more. Sign in to another.")


def _taken() -> Refused:
    return Refused(Code.NAME_TAKEN, "This name is taken. Choose another.")


def _wrong() -> Refused:
    return Refused(Code.BAD_CREDENTIALS, "Name or password is wrong. Check both and try again.")


def _wrong_password() -> Refused:
    return Refused(Code.BAD_CREDENTIALS, "The old password is wrong. Try again.")
