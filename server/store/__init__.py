"""The store: every accepted line and system act, and the rows by which rooms and people are found.

`Store` is what callers have; `SqliteStore` is one in a file, `PostgresStore` one in a database.
`Nodes` tells which of several processes over one store live, and which room is whose. `GroupWriter`
gathers the entries of all rooms into commits. May import of this program `bluebear.server.runtime`
and `bluebear.server.limits`. Start reading at `types.py`.
"""

from pathlib import Path

from bluebear.server.store.backup import JOURNAL
from bluebear.server.store.group_writer import Done as Done
from bluebear.server.store.group_writer import GroupWriter as GroupWriter
from bluebear.server.store.group_writer import NoWriter as NoWriter
from bluebear.server.store.leases import Nodes as Nodes
from bluebear.server.store.sqlite import SqliteStore as SqliteStore
from bluebear.server.store.store import Store as Store
from bluebear.server.store.types import *  # noqa: F403  # its `__all__` is the list


async def open_store(data: Path, url: str, *, accept_older: bool = False) -> Store:
    """The store of the database at `url`, or, where that is "", of a data folder.

    Raises NotOpened.
    """
    if not url:
        return SqliteStore(data / JOURNAL, accept_older=accept_older)
    # Its driver is loaded only where it is wanted.
    from bluebear.server.store.postgres import PostgresStore  # noqa: PLC0415

    database = PostgresStore(url)
    await database.open()
    return database
