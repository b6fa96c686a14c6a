"""Records: a game as UTF-8 text, readable, editable, replayable and verifiable.

`parse_record` and `format_record` are inverse. `replay` plays a record that may be edited; `verify`
needs a complete one and recomputes every draw. `conceal` makes the record of a running game for
some eyes. `chance_header` defines the input of a game's draws.

The server writes one line for each entry with `format_line` and builds the record at the end:
`sealed_text(head, lines, End(how, secret, scores))`.
"""

# ruff: noqa: F403 - the package has the public names of its modules

from bluebear.rules.core.record.model import *
from bluebear.rules.core.record.parser import *
from bluebear.rules.core.record.replay import *
