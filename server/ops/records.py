"""`bluebear replay FILE` and `bluebear verify FILE...`: games as text, played again offline."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bluebear.rules import games, packages_of
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.record import (
    Moved,
    Record,
    RecordError,
    explain,
    format_line,
    parse_record,
    replaying,
    verify,
)
from bluebear.rules.core.visibility import Seat
from bluebear.server.config import Parser
from bluebear.server.sentences import FAILED, UNUSABLE, lang_of, say

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own


def main(argv: Sequence[str]) -> int:
    """Replay or verify records. `argv[0]` is the command word.

    Returns 0; 1 if a record is wrong, with the line that is; 2 if a file cannot be read.
    """
    parser = Parser(argv[0], os.environ)
    parser.add("files", nargs="+", type=Path)
    lang_form = parser.form("en, ja", "|".join(LANGS))
    parser.add("--lang", type=lang_form, default=lang_of(os.environ))
    given = parser.parse_args(argv[1:])
    lang: Lang = given.lang
    installed = games(packages_of(os.environ))
    replays = argv[0] == "replay"
    return max(_one(path, installed, lang, replays=replays) for path in given.files)


def _one(path: Path, installed: Games, lang: Lang, *, replays: bool) -> int:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        print(say("records.unreadable", lang, path=str(path)), file=sys.stderr)
        return UNUSABLE
    game: Game[Any] | None = None
    try:
        record = parse_record(text)
        game = installed.get(record.head.game)
        if game is None:
            name = record.head.game
            print(say("records.no_game", lang, path=str(path), game=name), file=sys.stderr)
            return UNUSABLE
        if replays:
            _tell(game, record, lang)
        else:
            moments = verify(game, record)
            print(say("records.right", lang, path=str(path), moves=moments[-1].entries))
    except RecordError as error:
        reason = explain(error, lang, game)
        print(say("records.wrong", lang, path=str(path), reason=reason), file=sys.stderr)
        return FAILED
    return 0


def _tell(game: Game[Any], record: Record, lang: Lang) -> None:
    """Print every line of a record with what happened."""
    all_seats = frozenset(Seat(seat) for seat in range(1, len(record.head.order) + 1))
    names = record.head.names
    for moment in replaying(game, record):
        if moment.line is not None:
            mark = "> " if isinstance(moment.line, Moved) else "  "
            print(mark + format_line(moment.line))
        for event in moment.events:
            sentence = event_text(
                game.phrases, event, all_seats, lang=lang, name_of=lambda seat: names[seat - 1]
            )
            if sentence is not None:
                print(f"    {sentence}")
