"""A bot for Hearts: it takes a seat at an open table of a card room and plays legal cards to the end.

    pip install websockets
    python bot.py http://localhost:8080                   as a guest
    python bot.py https://cards.example NAME PASSWORD     as an account

`choose` decides what to play: make that better. docs/bots.md tells all that a bot can see and do.
"""

import json
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect


def choose(view: dict) -> str:
    """One of the legal moves. While cards are passed that is any three of one's hand."""
    if view["legal"] == ["pass"]:
        return "pass " + " ".join(random.sample(view["hand"], 3))
    return random.choice(view["legal"])


def act(view: dict) -> dict | None:
    """What the bot does about a view, if anything: it agrees to every take-back."""
    asked = view["takeback"]
    if asked and view["you"] in asked["waiting_for"]:
        return {"type": "answer", "accept": True}
    return {"type": "move", "move": choose(view)} if view["legal"] else None


def call(url: str, token: str = "", body: dict | None = None) -> dict:
    """What the card room answers: to a POST if there is a body, else to a GET."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers)) as answer:
        return json.load(answer)


def sit_down(room: str, token: str) -> str:
    """The table at which the bot has found a seat; it waits for one as long as that takes."""
    while True:
        tables = call(f"{room}/api/games?open=1")["games"]  # Some have been left by all who sat there.
        for table in (each for each in tables if any(player["connected"] for player in each["players"])):
            try:
                return call(f"{room}/api/games/{table['id']}/seats", token, {})["id"]
            except HTTPError as error:
                if error.code != 409:  # 409: somebody else was quicker. There may be another table.
                    raise
        time.sleep(1)


def play(socket: ClientConnection, game: str) -> dict:
    """Plays until the game is over, and gives the last view of it."""
    socket.send(json.dumps({"type": "subscribe", "channel": f"games/{game}", "ref": "watch"}))
    view, waiting = {}, True
    while view.get("status") not in ("finished", "closed"):
        message = json.loads(socket.recv())
        view = message.get("view") or view  # In a push, and in the answer to a command that came too late.
        if message.get("ref"):
            waiting = False  # The last command is answered: only now does the view surely tell of it.
        if view and not waiting and (command := act(view)):
            socket.send(json.dumps(command | {"game": game, "revision": view["revision"], "ref": "act"}))
            waiting = True
    return view


if __name__ == "__main__":
    room, *account = sys.argv[1:]
    known = {"name": account[0], "password": account[1]} if account else {}
    token = call(f"{room}/api/{'sessions' if account else 'guests'}", body=known)["token"]
    game = sit_down(room, token)
    print(f"I play at {room}/games/{game}", flush=True)
    address, headers = room.replace("http", "ws", 1) + "/ws", {"Authorization": f"Bearer {token}"}
    with connect(address, additional_headers=headers) as socket:
        print("The totals:", play(socket, game)["totals"])
