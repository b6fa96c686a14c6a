"""Commands about games that are played by days: days off, and being told of one's turns."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.server.commands.acts import SetHook, SetVacation
from bluebear.server.commands.command import Argument, Arguments, Command, anywhere
from bluebear.server.commands.scene import Scene

_OFF: Final = ("off", "オフ", "終わり")


def _vacation(scene: Scene, given: Arguments) -> SetVacation:
    word = fold(given.get("days", ""))
    if not word:
        return SetVacation(None)
    if word in _OFF:
        return SetVacation(0)
    number = word.removesuffix("日").removesuffix("d")
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 4 and int(number)):
        raise NotUnderstood("bad_word", argument="days", given=word, candidates=("7", "off"))
    return SetVacation(int(number))


def _notify(scene: Scene, given: Arguments) -> SetHook:
    word = str(given.get("address", ""))
    return SetHook("off" if fold(word) in _OFF else word)


COMMANDS: Final = (
    Command(
        "notify",
        anywhere(),
        _notify,
        (Argument("address", "address", optional=True),),
        ("通知",),
        secret=True,
    ),
    Command(
        "vacation",
        anywhere(),
        _vacation,
        (Argument("days", "days", optional=True),),
        ("休暇",),
    ),
)
