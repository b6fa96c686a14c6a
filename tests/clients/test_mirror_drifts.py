"""Whatever is lost or spoilt on the way: does the mirror equal the server's view in the end?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bluebear.clients.sdk import Mirror, NeedSync, RoomId, Synced
from bluebear.clients.sdk.client_events import Entered, Happening
from bluebear.protocol import Room, RoomNumber, Update, Version, crc, diff

Tree = dict[str, Any]  # Any: trees of every shape

NUMBER = RoomNumber(1)
SUM_EVERY = 4

leaves = (
    st.integers(0, 9) | st.booleans() | st.text("ab東", max_size=3) | st.lists(st.integers(0, 3))
)
trees: st.SearchStrategy[Tree] = st.recursive(
    st.dictionaries(st.sampled_from("abcd"), leaves, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abcd"), leaves | inner, max_size=3),
    max_leaves=8,
)


@dataclass(frozen=True)
class Change:
    """A next view, and what becomes of the update on its way."""

    view: Tree
    fate: str
    """arrives, lost, twice, or spoilt: a value of the patch is another one."""


changes = st.builds(
    Change, trees, st.sampled_from(("arrives", "arrives", "lost", "twice", "spoilt"))
)


class Server:
    """Holds the right view, sends updates that may not arrive, and snapshots when asked."""

    def __init__(self, mirror: Mirror) -> None:
        self.mirror = mirror
        self.view: Tree = {}
        self.version = 1
        self.happened: list[Happening] = []

    def snapshot(self) -> None:
        self._receive(
            self.mirror.receive(
                Room(
                    room=NUMBER,
                    id="1",
                    game="g",
                    hash="h",
                    version=Version(self.version),
                    view=self.view,
                    sum=crc(self.view),
                )
            )
        )

    def change(self, change: Change) -> None:
        patch = diff(self.view, change.view)
        self.view = change.view
        self.version += 1
        if change.fate == "lost":
            return
        if change.fate == "spoilt":
            patch = {**patch, "spoilt": True}
        total = crc(self.view) if self.version % SUM_EVERY == 0 else None
        update = Update(room=NUMBER, version=Version(self.version), patch=patch, sum=total)
        for _ in range(2 if change.fate == "twice" else 1):
            self._receive(self.mirror.receive(update))

    def _receive(self, happened: list[Happening]) -> None:
        self.happened += happened
        if any(isinstance(each, NeedSync) for each in happened):
            self.snapshot()


@given(st.lists(changes, max_size=20))
def test_after_the_next_check_sum_the_mirror_is_right(story: list[Change]) -> None:
    server = Server(Mirror())
    server.snapshot()
    for change in story:
        server.change(change)
    while server.version % SUM_EVERY:
        server.change(Change(server.view, "arrives"))
    server.change(Change(server.view, "arrives"))  # a lost version is noticed by the next one
    while server.version % SUM_EVERY:
        server.change(Change(server.view, "arrives"))
    assert server.mirror.rooms[RoomId("1")].view == server.view


@given(st.lists(changes.filter(lambda change: change.fate in ("arrives", "twice"))))
def test_nothing_is_requested_that_was_not_lost(story: list[Change]) -> None:
    server = Server(Mirror())
    server.snapshot()
    for change in story:
        server.change(change)
    assert server.mirror.rooms[RoomId("1")].view == server.view
    assert [type(each) for each in server.happened if isinstance(each, Entered | Synced)] == [
        Entered
    ]
