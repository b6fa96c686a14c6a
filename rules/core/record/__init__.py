"""Records: a game as UTF-8 text, readable, editable, replayable and verifiable.

`parse_record` and `format_record` are inverse. `replay` plays a record that may be edited; `verify`
needs a complete one and recomputes every draw. `conceal` makes the record of a running game for
some eyes. `chance_header` and `seat_header` define the input of a game's draws.

The server writes one line for each entry with `format_line` and builds the record at the end:
`sealed(Record(head, tuple(map(parse_line, lines)), End(how, secret, scores)))`.
"""

from __future__ import annotations

from bluebear.rules.core.record.error import RecordError, explain
from bluebear.rules.core.record.model import (
    HOUSE_BOT_PREFIX,
    JOINED_LINES,
    RECORDED_BOT,
    RULE_OFF,
    Digested,
    End,
    EndReason,
    Fork,
    ForkSection,
    Head,
    Hex,
    Hinted,
    Moved,
    Peeked,
    Record,
    RecordLine,
    Resigned,
    Seated,
    Undone,
    format_line,
    format_record,
    house_bot_name,
    recorded_name,
    sealed,
)
from bluebear.rules.core.record.parser import parse_line, parse_record
from bluebear.rules.core.record.replay import (
    DIGEST_EVERY,
    DrawHeader,
    Moment,
    Replayed,
    chance_header,
    conceal,
    replay,
    replaying,
    seat_header,
    verify,
)

__all__ = [
    "DIGEST_EVERY",
    "HOUSE_BOT_PREFIX",
    "JOINED_LINES",
    "RECORDED_BOT",
    "RULE_OFF",
    "Digested",
    "DrawHeader",
    "End",
    "EndReason",
    "Fork",
    "ForkSection",
    "Head",
    "Hex",
    "Hinted",
    "Moment",
    "Moved",
    "Peeked",
    "Record",
    "RecordError",
    "RecordLine",
    "Replayed",
    "Resigned",
    "Seated",
    "Undone",
    "chance_header",
    "conceal",
    "explain",
    "format_line",
    "format_record",
    "house_bot_name",
    "parse_line",
    "parse_record",
    "recorded_name",
    "replay",
    "replaying",
    "sealed",
    "seat_header",
    "verify",
]
