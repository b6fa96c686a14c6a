"""`python -m tests.sim.cluster_mutants --seeds 0-99`: mistakes in the code of nodes, on purpose.

Says for each in how many storms over a cluster it is noticed. `--only none` plays storms without
any, `--until 1` goes on to the next mistake as soon as one is noticed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, Final
from unittest import mock

import msgspec
from sqlalchemy import Connection

from bluebear.clients.sdk.session import ClientSession
from bluebear.protocol import Done, Version
from bluebear.server.cluster.room_leases import Membership
from bluebear.server.ops.health import Upkeep
from bluebear.server.ops.node import ClusterNode
from bluebear.server.rooms import broadcast, registry
from bluebear.server.rooms.connection import Connection as ClientConnection
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.store import Deposed, Entry, leases, streams
from bluebear.server.store.schema import Statement
from tests.sim.__main__ import seeds_of
from tests.sim.cluster_chaos import storm
from tests.sim.virtual_loop import run
from tests.support.simulated_store import FaultyDatabase

Fake = Callable[..., Any]  # Any: stands for methods of all kinds


@contextmanager
def _all(*patches: Any) -> Iterator[None]:
    """Several patches at once."""
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        yield


def _says(value: object) -> Fake:
    """A method that always says the same."""

    def always(*given: object) -> object:
        return value

    return always


def _fence_ignored() -> Any:  # Any: a patcher, as all below
    """Who was deposed writes on."""
    return mock.patch.object(FaultyDatabase, "is_current", _says(True))


def _depose_not_heeded() -> Any:
    """A node that was deposed keeps its connections and its rooms."""
    return mock.patch.object(ClusterNode, "deposed", _says(None))


def _robs_the_living() -> Any:
    """A room is claimed from an engine that lives."""
    return mock.patch.object(leases, "is_free", _says(True))


def _epoch_not_compared() -> Any:
    """A room is given away by who has it again since, or not any more."""
    change = Statement(
        "UPDATE owner SET node = ?4, epoch = ?5, carried = ?6 WHERE room = ?1 RETURNING room"
    )
    return mock.patch.object(leases, "_CHANGE_OWNED", change)


def _doubt_not_minded() -> Any:
    """A node takes a room for its own although its lease is uncertain."""
    claim = Membership.claim

    async def trusting(self: Membership, room: str) -> bytes:
        self._doubtful.clear()
        return await claim(self, room)

    return mock.patch.object(Membership, "claim", trusting)


def _claimed_under_the_old_epoch() -> Any:
    """A node that acquires a lease it already holds gets the epoch it has."""
    claim = leases.claim

    def same(connection: Connection, me: str, room: Any) -> int | None:
        return leases.owned(connection, me).get(room) or claim(connection, me, room)

    return mock.patch.object(leases, "claim", same)


def _repeats_stored_again() -> Any:
    """A line under an id that is stored already is stored once more, under a name of its own."""

    def insert(self: FaultyDatabase, group: Any) -> None:
        renamed = [
            (msgspec.structs.replace(append, entry=_unnamed(append.entry)), body)
            for append, body in group
        ]
        _INSERT(self, renamed)

    return _all(
        mock.patch.object(FaultyDatabase, "insert", insert),
        mock.patch.object(streams, "find", _says(None)),
    )


_INSERT: Final = FaultyDatabase.insert


def _unnamed(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, client_id="")


def _given_while_loaded() -> Any:
    """A room is given away, and stays in the memory of who gave it."""

    async def nothing(self: RoomRegistry, live: RoomActor) -> bytes:
        return b""

    return mock.patch.object(RoomRegistry, "let_go", nothing)


async def _keeps_nothing(self: RoomRegistry, live: RoomActor) -> None:
    """No snapshot is kept."""


def _given_in_flight() -> Any:
    """A room is given away while an entry of it is on its way.

    Its snapshot waits in the store behind that entry, so none is kept either.
    """
    return _all(
        mock.patch.object(RoomActor, "at_rest", property(_says(True))),
        mock.patch.object(RoomRegistry, "_keep_room", _keeps_nothing),
    )


def _wrong_viewer() -> Any:
    """A person who has got or lost a seat still sees with the old eyes."""
    return mock.patch.object(broadcast, "_look_again", _says(False))


def _answered_before_commit() -> Any:
    """A line is answered before its entry is stored."""
    write = RoomActor._write

    def early(self: RoomActor, job: Any, act: Any) -> None:
        write(self, job, act)
        if job.client is not None and job.say:
            version = Version(self.room.version + 1 if self.exists else 1)
            number = job.client.number_of(self.id)
            job.client.answer(Done(id=job.say, room=number, version=version))

    return mock.patch.object(RoomActor, "_write", early)


def _not_sent_again() -> Any:
    """What was not answered is not said again where the room is now."""
    adopt = ClientSession.adopt

    def silent(self: ClientSession, moved: Any, **how: Any) -> Any:
        return adopt(self, replace(moved, waiting={}), **how)

    return mock.patch.object(ClientSession, "adopt", silent)


def _again_forgotten() -> Any:
    """A client that says a line again is taken for one that says it the first time."""
    never = property(_says(False), _says(None))
    return mock.patch.object(ClientConnection, "resumed", never, create=True)


def _moving_not_heeded() -> Any:
    """The members of a room that has moved are not told where it is."""
    redirect = ClientConnection.redirect

    def only_requests(
        self: ClientConnection, room: str, url: str, say: str = "", number: Any = None
    ) -> None:
        if number is None:
            redirect(self, room, url, say)

    return mock.patch.object(ClientConnection, "redirect", only_requests)


def _answered_while_moving() -> Any:
    """Lines of a room that is on its way are answered by the node that gives it."""
    line = RoomRegistry.line

    def on_line(self: RoomRegistry, *given: Any) -> None:
        moving, self.moving = self.moving, set()
        line(self, *given)
        self.moving = moving

    return mock.patch.object(RoomRegistry, "line", on_line)


def _late_replies_count() -> Any:
    """A client takes a reply from where its room was for one from where it is."""
    return mock.patch.object(
        ClientSession, "_moved", property(lambda self: set(), _says(None)), create=True
    )


def _release_forgotten() -> Any:
    """A room that could not be created, or leaves memory, keeps its lease."""
    return mock.patch.object(Membership, "claim", _claims_nothing)


async def _claims_nothing(self: Membership, room: str) -> None:
    """A room is loaded by who has not claimed it."""
    self.epochs[room] = 1


def _unknown_is_no() -> Any:
    """A commit with an unknown result is taken for a failed one."""
    commit = FaultyDatabase.commit

    def doubted(self: FaultyDatabase) -> None:
        breaks = bool(self._fresh and self.breaks)
        try:
            commit(self)
        except OSError as error:
            if breaks:
                raise Deposed(str(error)) from error
            raise

    return mock.patch.object(FaultyDatabase, "commit", doubted)


def _door_open() -> Any:
    """Any person who has a room's number is admitted, whatever the room requires."""
    return mock.patch.object(registry, "entry_method", _says("open"))


def _hints_trusted() -> Any:
    """A node reads its list of rooms anew only when it was told that it has changed."""

    async def refresh(self: Upkeep) -> None:
        try:
            await self._features.refresh()
        finally:
            self._look_soon()

    return mock.patch.object(Upkeep, "_poll_peers", refresh)


MUTANTS: Final[dict[str, Fake]] = {
    "fence ignored": _fence_ignored,
    "depose not heeded": _depose_not_heeded,
    "robs the living": _robs_the_living,
    "loads what it has not claimed": _release_forgotten,
    "epoch not compared": _epoch_not_compared,
    "doubt not minded": _doubt_not_minded,
    "claimed under the old epoch": _claimed_under_the_old_epoch,
    "repeats stored again": _repeats_stored_again,
    "given while loaded": _given_while_loaded,
    "given in flight": _given_in_flight,
    "wrong viewer after a change of seats": _wrong_viewer,
    "answered before the commit": _answered_before_commit,
    "answered while moving": _answered_while_moving,
    "late replies count": _late_replies_count,
    "unanswered not said again": _not_sent_again,
    "again forgotten": _again_forgotten,
    "members not told of a move": _moving_not_heeded,
    "unknown outcome taken for none": _unknown_is_no,
    "door open": _door_open,
    "hints trusted": _hints_trusted,
}
"""Each makes one mistake while it is entered; its docstring says which."""


def notices(seed: int) -> str:
    """What a storm finds wrong first; "" for nothing."""
    try:
        faults = run(storm(seed)).faults
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  # a mistake may show by whatever it breaks
        return f"{type(error).__name__}: {error}"
    return faults[0] if faults else ""


def main(argv: Sequence[str]) -> int:
    """Try the mistakes on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.cluster_mutants")
    parser.add_argument("--seeds", nargs="+", default=["0-99"], metavar="SEED")
    parser.add_argument("--only", nargs="+", choices=("none", *MUTANTS))
    parser.add_argument("--until", type=int, default=0, help="go on when so many have noticed")
    given = parser.parse_args(argv)
    logging.disable(logging.CRITICAL)
    missed = 0
    for name in given.only or ("none", *MUTANTS):
        began, attempts, noticed, first, what = time.process_time(), 0, 0, -1, ""
        with MUTANTS[name]() if name != "none" else nullcontext():
            for seed in seeds_of(given.seeds):
                result = notices(seed)
                attempts += 1
                if result:
                    noticed += 1
                    if first < 0:
                        first, what = seed, result
                    if noticed == given.until:
                        break
        missed += (name == "none") == bool(noticed)
        seconds = (time.process_time() - began) / attempts
        text = f"first by seed {first}: {what[:160]}" if noticed else ""
        print(
            f"{name}: noticed by {noticed} of {attempts} ({seconds:.2f} s each) {text}", flush=True
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
