"""`bluebear analyse RECORD`: finds the turning points of a finished game, as text or JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from bluebear.clients.bots.analysis_report import report
from bluebear.clients.bots.search.analysis import analyse
from bluebear.clients.bots.search.analysis_chunks import SEARCH_TIMES
from bluebear.clients.bots.search.budget import Playouts
from bluebear.clients.command_line import Arguments, UsageError, read_arguments, read_number
from bluebear.clients.phrases import Texts, chosen_lang, preferred_lang
from bluebear.rules import games, packages_of
from bluebear.rules.core.game import Game
from bluebear.rules.core.record import RecordError, explain, parse_record

PLAYOUTS: Final = 60
PLAYOUTS_MAX: Final = 100_000
WRONG: Final = 1
UNUSABLE: Final = 2


def main(argv: Sequence[str]) -> int:
    """Analyse one record. Returns 0; 1 for an illegal record, 2 for an unreadable file."""
    texts = Texts(preferred_lang(os.environ), "bluebear.clients.bots")
    try:
        arguments = read_arguments(
            argv[1:],
            values=frozenset({"playouts", "seed", "out", "lang"}),
            switches=frozenset({"help"}),
            most=1,
        )
        texts = Texts(chosen_lang(arguments, texts.lang), "bluebear.clients.bots")
        if "help" in arguments.switches:
            print(texts.say("analyse_usage"))
            return 0
        if not arguments.positional:
            raise UsageError("no_record", "")
        return _run(arguments, texts)
    except UsageError as error:
        print(texts.say(error.key, given=error.given), file=sys.stderr)
        return UNUSABLE


def _run(arguments: Arguments, texts: Texts) -> int:
    path = Path(arguments.positional[0])
    playouts = read_number(arguments, "playouts", PLAYOUTS, low=4, high=PLAYOUTS_MAX)
    seed = read_number(arguments, "seed", 1, low=0, high=2**63)
    installed = games(packages_of(os.environ))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UsageError("unreadable_record", str(path)) from None
    game: Game[Any] | None = None
    try:
        record = parse_record(text)
        game = installed.get(record.head.game)
        if game is None:
            raise UsageError("record_no_game", record.head.game)
        budget = Playouts(SEARCH_TIMES * playouts)
        entries = list(analyse(game, record, budget, playouts, seed=seed))
    except RecordError as error:
        print(texts.say("wrong_record", given=explain(error, texts.lang, game)), file=sys.stderr)
        return WRONG
    if "out" in arguments.values:
        lines = "".join(f"{json.dumps(asdict(each))}\n" for each in entries)
        Path(arguments.values["out"]).write_text(lines, encoding="utf-8")
    for line in report(game, record, entries, texts):
        print(line)
    return 0
