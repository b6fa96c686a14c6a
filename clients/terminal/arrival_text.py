"""Texts shown on joining a room, and about other people who join and leave."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, cast

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import RoomView
from bluebear.protocol import Game

EVENTS: Final = 6
"""Number of log sentences shown on joining a room; `/recap` shows more."""


def title_of(room: RoomView, games: Mapping[str, Game], texts: Texts) -> str:
    """The game and the number of a room: `Manhattan 123456`."""
    game = games.get(room.game)
    names = {} if game is None else cast("dict[str, str]", game.body.get("name", {}))
    return f"{names.get(texts.lang, room.game)} {room.id}"


def head_of(room: RoomView, games: Mapping[str, Game], texts: Texts) -> list[str]:
    """The room's title, its seated players, and whose turn it is."""
    title = title_of(room, games, texts)
    phase = texts.say(f"phase_{room.phase}") if room.phase else ""
    lines = [texts.say("room_head", title=title, phase=phase)]
    chairs = cast("dict[str, dict[str, Any]]", _table(room).get("seats", {}))
    seats = [f"{number} {chair.get('name', '')}" for number, chair in chairs.items()]
    turn = [str(chairs[str(seat)].get("name")) for seat in sorted(room.turn) if str(seat) in chairs]
    lines.append(
        texts.say("room_seats", seats=", ".join(seats)) if seats else texts.say("no_seats")
    )
    if turn:
        lines.append(texts.say("room_turn", names=", ".join(turn)))
    if room.late:
        lines.append(texts.say("room_late", moves=room.late))
    return lines


def absent_names(room: RoomView, away: Collection[str], texts: Texts) -> str:
    """The names of absent players, marked if a house bot plays for them."""
    seats = _table(room).get("seats", {}).values()
    played = {each.get("name") for each in seats if each.get("bot")}
    return ", ".join(texts.say("played_for", name=n) if n in played else n for n in away)


def newcomers(before: Collection[str], here: Collection[str], *, but: Collection[str]) -> list[str]:
    """The names in `here` that are not in `before`, without those in `but`, announced otherwise."""
    return [name for name in here if name not in before and name not in but]


def _table(room: RoomView) -> dict[str, Any]:  # Any: a view is a plain tree
    return cast("dict[str, Any]", room.view.get("room", {}))
