"""Who one is: keeping a name, coming in as somebody known, going out for good."""

from __future__ import annotations

from typing import Final

from rules.core.slots import Choice
from server.commands.acts import LogOut
from server.commands.command import Argument, Command, anywhere

_EVERYWHERE: Final = Argument(
    "everywhere", "choice", optional=True, choices=(Choice("all", ("全部",)),)
)

COMMANDS: Final = (
    Command(
        "logout",
        anywhere(),
        lambda scene, given: LogOut(everywhere="everywhere" in given),
        (_EVERYWHERE,),
        ("ログアウト",),
        whole=True,
    ),
)
