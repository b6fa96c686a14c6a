"""What every writing statement begins with, and how the next generation is taken."""

from typing import Final

FENCE: Final = "fence AS (SELECT 1 FROM node WHERE id = $1 AND generation = $2 FOR SHARE)"
"""Who writes, and whether his generation still holds: what is stored is joined with it."""

BARRIER: Final = (
    "UPDATE node SET generation = generation + 1 WHERE id = $1 AND life = $2 AND state <> 'dead'"
    " RETURNING generation"
)
"""Take the next generation: it waits for what was sent with those before, and ends them.

Not by the generation itself: an earlier barrier may have come through without having been heard.
"""

IS_MINE: Final = "SELECT EXISTS (SELECT FROM node WHERE id = $1 AND life = $2 AND state <> 'dead')"
"""Whether who writes may still do so, be it with another generation."""

ALONE: Final = (
    "WITH others AS (UPDATE node SET state = 'dead', generation = generation + 1"
    " WHERE id <> $1 AND state <> 'dead')"
    " UPDATE node SET generation = generation + 1, life = $2 WHERE id = $1 RETURNING generation"
)
"""Take the whole database: no other node writes any more."""
