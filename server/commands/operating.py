"""Commands of the server's operators: words to everybody, a closed door, people who disturb."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands.acts import (
    Announce,
    BackUp,
    LockDown,
    Sanction,
    SaveAll,
    ShowAudit,
    ShowServer,
)
from bluebear.server.commands.command import NAME, Argument, Arguments, Command, operators
from bluebear.server.commands.needs import Wanted
from bluebear.server.commands.scene import Scene

_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 60 * _MINUTE_MS
_SILENT_MINUTES: Final = 60
_BANISHED_HOURS: Final = 24
"""What holds where no time is given."""
_MINUTES_MOST: Final = 30 * 24 * 60
_HOURS_MOST: Final = 366 * 24
"""Nothing is for ever: who is to stay out is looked at once a year."""

_ON_OFF: Final = Argument(
    "switch", "choice", choices=(Choice("on", ("オン",)), Choice("off", ("オフ",)))
)
_TEXT: Final = Argument("text", "text")
_WHY: Final = Argument("text", "text", optional=True)
_MINUTES: Final = Argument("minutes", "number", optional=True)
_HOURS: Final = Argument("hours", "number", optional=True)
_PAGE: Final = Argument("page", "page", optional=True)


def _silence(scene: Scene, given: Arguments) -> Sanction:
    minutes = _amount(given, "minutes", _SILENT_MINUTES, _MINUTES_MOST)
    return Sanction("silence", *_whom(scene, given, minutes), minutes * _MINUTE_MS, _why(given))


def _banish(scene: Scene, given: Arguments) -> Sanction:
    hours = _amount(given, "hours", _BANISHED_HOURS, _HOURS_MOST)
    return Sanction("banish", *_whom(scene, given, hours), hours * _HOUR_MS, _why(given))


def _amount(given: Arguments, argument: str, usual: int, most: int) -> int:
    amount: int = given.get(argument, usual)
    if amount > most:
        limits = (str(usual), str(most), "0")
        raise NotUnderstood("bad_word", argument=argument, given=amount, candidates=limits)
    return amount


def _whom(scene: Scene, given: Arguments, amount: int) -> tuple[str, str]:
    """Id and name; to end something the name will do, since it may be another's by now."""
    if not amount:
        return "", given["name"]
    found = scene.known.person
    if found is None:
        raise NotAllowed("no_such_person", given=given["name"], candidates=scene.known.near)
    return found


def _why(given: Arguments) -> str:
    text: str = given.get("text", "")
    return text


def _needs(scene: Scene, given: Arguments) -> Wanted:
    return Wanted(person=given["name"])


_ONLINE: Final = Wanted(online=True)

COMMANDS: Final = (
    Command(
        "announce",
        operators(),
        lambda scene, given: Announce(given["text"]),
        (_TEXT,),
        ("お知らせ",),
        whole=True,
        own=True,
    ),
    Command(
        "lockdown",
        operators(),
        lambda scene, given: LockDown(given["switch"] == "on", _why(given)),
        (_ON_OFF, _WHY),
        ("新規停止",),
        whole=True,
        own=True,
    ),
    Command(
        "silence",
        operators(),
        _silence,
        (NAME, _MINUTES, _WHY),
        ("発言停止",),
        whole=True,
        needs=_needs,
        offers=_ONLINE,
        own=True,
    ),
    Command(
        "banish",
        operators(),
        _banish,
        (NAME, _HOURS, _WHY),
        ("追放",),
        whole=True,
        needs=_needs,
        offers=_ONLINE,
        own=True,
    ),
    Command(
        "audit",
        operators(),
        lambda scene, given: ShowAudit(given.get("page", 1)),
        (_PAGE,),
        ("運営記録",),
        own=True,
    ),
    Command(
        "serverstats",
        operators(),
        lambda scene, given: ShowServer(),
        names=("サーバー状況",),
        own=True,
    ),
    Command(
        "saveall", operators(), lambda scene, given: SaveAll(), names=("全部屋保存",), own=True
    ),
    Command(
        "backup", operators(), lambda scene, given: BackUp(), names=("バックアップ",), own=True
    ),
)
