"""Reads `bots.toml`, the owner's settings of their bots, and checks whether a table fits them.

    address = "ws://127.0.0.1:8765"

    [bots.Robo]
    token = "..."                      # what /token Robo showed
    exec = "./mybot"                   # or class = "mybot:Careful", or strategy = "greedy"

All other keys have defaults; `KEYS` lists them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from bluebear.clients.bots.factory import Kind, NamedStrategy, load_class, read_program
from bluebear.clients.bots.time_budget import SECONDS, bank_of
from bluebear.clients.command_line import UsageError
from bluebear.clients.sdk import RoomView
from bluebear.clients.server_url import BadAddressError, read_address
from bluebear.protocol import Branch, Lang
from bluebear.rules.core.suggest import nearest

CONCURRENCY_MAX: Final = 32
"""Maximum number of games of one bot at once: each may run a process."""
COMPANY: Final = ("none", "people", "bots", "both")
CLOCKS: Final = ("off", "seconds", "days")


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSettings:
    """What one bot plays, with which players, and how many games at once."""

    label: str
    token: str
    kind: Kind
    games: tuple[str, ...] = ()
    """Empty: all games that the bot plays."""
    seats: int = 12
    """Maximum number of seats at the table, including the bot's."""
    clocks: tuple[str, ...] = CLOCKS
    least_seconds: int = 0
    """Minimum seconds for the game on a clock by seconds."""
    casual: str = "both"
    """Players accepted in casual games: none, people, bots, both."""
    rated: str = "none"
    """Players accepted in rated games."""
    block: tuple[str, ...] = ()
    """Names of players not accepted."""
    concurrency: int = 1
    """Maximum number of games at once."""
    seconds: int = int(SECONDS)
    """Maximum seconds for a decision."""
    patience: int = 300
    """Seconds to wait at a table for a game to start."""
    wish: tuple[str, ...] = ()
    """Games requested by /wish while a slot is free."""


@dataclass(frozen=True, slots=True)
class BotsFile:
    """The contents of a `bots.toml`."""

    url: str
    lang: Lang
    bots: tuple[BotSettings, ...]


class Decline(NamedTuple):
    """The reason not to sit down: the key of a phrase, and its parameters."""

    key: str
    params: Mapping[str, object]


_STRINGS: Final = ("games", "clocks", "block", "wish")
_NUMBERS: Final = {
    "seats": (1, 64),
    "least_seconds": (0, 100_000),
    "concurrency": (1, CONCURRENCY_MAX),
    "seconds": (1, 3600),
    "patience": (10, 86_400),
}
_CHOICES: Final = {"casual": COMPANY, "rated": COMPANY}
_PLAYERS: Final[Mapping[str, Callable[[str], Kind]]] = {
    "exec": read_program,
    "class": load_class,
    "strategy": NamedStrategy,
}
KEYS: Final = (
    *_PLAYERS,
    *(f.name for f in fields(BotSettings) if f.name not in ("label", "kind")),
)


def read_owned(path: Path) -> BotsFile:
    """Read a file. Raises UsageError with a sentence about the first error."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise UsageError("toml_unread", f"{path}: {why}") from None
    bots = given.pop("bots", None)
    for key in given:
        if key not in ("address", "lang"):
            raise UsageError("toml_key", f"{key}; address, lang, [bots.NAME]")
    lang = given.get("lang", "en")
    if lang not in ("en", "ja"):
        raise UsageError("toml_value", "lang: en, ja")
    try:
        url = read_address(str(given.get("address", ""))).url
    except BadAddressError:
        raise UsageError("bad_address", str(given.get("address", ""))) from None
    if not isinstance(bots, dict) or not bots:
        raise UsageError("toml_no_bots", str(path))
    terms = tuple(_terms(label, cast("dict[str, Any]", table)) for label, table in bots.items())
    return BotsFile(url, cast(Lang, lang), terms)


def _terms(label: str, table: dict[str, Any]) -> BotSettings:  # Any: values of TOML
    if not isinstance(table, dict):
        raise UsageError("toml_no_bots", label)
    where = f"[bots.{label}] "
    for key in table:
        if key not in KEYS:
            raise UsageError("toml_key", f"{where}{key}; {', '.join(nearest(key, KEYS) or KEYS)}")
    players = [name for name in _PLAYERS if name in table]
    if len(players) != 1:
        raise UsageError("toml_player", where.strip())
    if not isinstance(table.get("token"), str) or not table["token"]:
        raise UsageError("toml_token", where.strip())
    [player] = players
    values = {key: _value(where, key, value) for key, value in table.items() if key not in _PLAYERS}
    return BotSettings(label=label, kind=_PLAYERS[player](str(table[player])), **values)


def _value(where: str, key: str, value: object) -> Any:  # Any: a string, a number or strings
    if key in _NUMBERS:
        low, high = _NUMBERS[key]
        if type(value) is not int or not low <= value <= high:
            raise UsageError("toml_value", f"{where}{key}: {low}-{high}")
    elif key in _CHOICES:
        if value not in _CHOICES[key]:
            raise UsageError("toml_value", f"{where}{key}: {', '.join(_CHOICES[key])}")
    elif key in _STRINGS:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise UsageError("toml_value", f'{where}{key}: ["...", "..."]')
        if key == "clocks" and not set(value) <= set(CLOCKS):
            raise UsageError("toml_value", f"{where}{key}: {', '.join(CLOCKS)}")
        return tuple(value)
    return value


def why_not(terms: BotSettings, room: RoomView, me: str) -> Decline | None:
    """The reason not to sit down in a room, or not to stay before the game; None if none."""
    table = cast(Branch, room.view.get("room", {}))
    options = cast("Mapping[str, str]", table.get("options", {}))
    chairs = cast("Mapping[str, Branch]", table.get("seats", {}))
    opponents = [chair for chair in chairs.values() if chair.get("name") != me]
    if room.phase not in ("open", "playing", "paused"):
        return Decline("decline_phase", {})
    if terms.games and room.game not in terms.games:
        return Decline("decline_game", {"games": ", ".join(terms.games)})
    if len(opponents) + 1 > terms.seats:
        return Decline("decline_seats", {"most": terms.seats})
    blocked = {name.casefold() for name in terms.block}
    for name in (str(table.get("host", "")), *(str(chair.get("name", "")) for chair in opponents)):
        if name.casefold() in blocked:
            return Decline("decline_blocked", {})
    return _why_not_clock(terms, options.get("clock", "off")) or _why_not_company(
        terms, opponents, rated=options.get("rated") == "on"
    )


def _why_not_clock(terms: BotSettings, clock: str) -> Decline | None:
    bank = bank_of(clock)
    kind = "off" if clock in ("", "off") else "days" if bank is None else "seconds"
    if kind not in terms.clocks:
        return Decline("decline_clock", {"clocks": ", ".join(terms.clocks)})
    if bank is not None and bank < terms.least_seconds:
        return Decline("decline_seconds", {"least": terms.least_seconds})
    return None


def _why_not_company(terms: BotSettings, opponents: list[Branch], *, rated: bool) -> Decline | None:
    company = terms.rated if rated else terms.casual
    if company == "none":
        return Decline("decline_rated" if rated else "decline_casual", {})
    if company == "people" and any(not chair.get("human") for chair in opponents):
        return Decline("decline_bots", {})
    if company == "bots" and any(chair.get("human") for chair in opponents):
        return Decline("decline_people", {})
    return None
