"""What `/look` shows: the surroundings of one's pawn, the tables, any line, any region."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.slots import Choice
from bluebear.rules.tokai.network import LINES, REGIONS
from bluebear.rules.tokai.readings import LINES_CALLED, REGIONS_CALLED

HERE: Final = "here"
TABLES: Final = "tables"

_REGIONS: Final = tuple(
    Choice(region.id, (region.ja, region.en, *REGIONS_CALLED[region.id])) for region in REGIONS
)
_TAKEN: Final = frozenset(region.id for region in REGIONS)
"""Short names of lines that a region has already: `mikawa` shows the region."""

AREAS: Final = (
    Choice(HERE, ("周辺", "現在地", "しゅうへん", "げんざいち")),
    Choice(TABLES, ("表", "目的地決定表", "ひょう")),
    *_REGIONS,
    *(
        Choice(
            line.id,
            (
                line.ja,
                *(name for name in line.names if name not in _TAKEN),
                *LINES_CALLED[line.id],
            ),
        )
        for line in LINES
    ),
)
