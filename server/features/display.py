"""Commands that only look at a room: its state, the table, what has happened, the votes."""

from __future__ import annotations

from bluebear.rules.core.slots import Choice
from bluebear.server.commands import answers
from bluebear.server.commands.command import Command, in_room
from bluebear.server.features.feature import Feature


class Display(Feature):
    """What only looks at a room: its state, the table, what has happened, the votes."""

    name = "display"
    is_basic = True
    commands = (
        Command(
            "info",
            in_room(),
            lambda scene, given: answers.info(scene),
            names=("情報",),
            short=("spielinfo",),
        ),
        Command(
            "board form?",
            in_room(),
            lambda scene, given: answers.board(scene, short="form" in given),
            ("盤", "盤面"),
            choices={"form": (Choice("short", ("要点",)),)},
        ),
        Command(
            "look area?",
            in_room(),
            lambda scene, given: answers.look(scene, given.get("area", "")),
            ("眺める",),
            needs_area="",
        ),
        Command("recap", in_room(), lambda scene, given: answers.recap(scene), names=("振り返り",)),
        Command("votes", in_room(), lambda scene, given: answers.votes(scene), names=("投票一覧",)),
    )
