"""0001, the tables of 0.1.0: the first version there is, so no database has a way to it.

What they are stands in the kept databases of `tests/journals/databases`.
"""

from typing import Final

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """Nothing is older than this."""
