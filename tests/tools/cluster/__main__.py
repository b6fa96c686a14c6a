"""`python -m tests.tools.cluster kill|stop|cut|upgrade|database|all --rounds N`: real processes.

With `--into FILE` what came of it is written behind what the file has, and all of that is said:
many rounds can be played in pieces. With `--haproxy` it is before the nodes, by
`deploy/haproxy.cfg`; else they share a port.

`python -m tests.tools.cluster rooms --people 200 --rounds 3 --moves 100` has so many playing rooms
on one engine of three, and kills it.

`python -m tests.tools.cluster serve --processes N` only runs them, over a database that is made in
a temporary folder and thrown away (`make cluster`).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from pathlib import Path

from bluebear.server.__main__ import main as serve
from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs
from tests.tools.cluster import failover
from tests.tools.cluster.fault_rounds import KINDS, play
from tests.tools.cluster.report import Report, stored_in
from tests.tools.cluster.topology import processes


async def rounds(given: argparse.Namespace) -> None:
    """Play the rounds and say how they went."""
    print(f"seed {given.seed}")
    chance = random.Random(given.seed)
    if given.kind == "rooms":
        report = await failover.play(given.people, given.rounds, given.moves, given.seed)
        _tell(report, given.into)
        return
    async with processes(behind_haproxy=given.haproxy) as made:
        for kind in KINDS if given.kind == "all" else (given.kind,):
            _tell(await play(made, kind, given.rounds, given.people, chance), given.into)


def _tell(report: Report, into: Path | None) -> None:
    print(report)
    if into is not None:
        report.keep(into)
        for each in stored_in(into):
            print(f"in all {each}")


def main() -> int:
    """Do what the words say."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.cluster")
    parser.add_argument("kind", choices=(*KINDS, "all", "rooms", "serve"))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--haproxy", action="store_true", help="nodes are behind HAProxy")
    parser.add_argument("--into", type=Path)
    given, arguments = parser.parse_known_args()
    if programs() is None:
        print(MISSING)
        return 2
    if given.kind != "serve":
        asyncio.run(rounds(given))
        return 0
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder,
        private_postgres(Path(folder)) as url,
    ):
        os.environ["BLUEBEAR_STORE"] = url
        return serve(["serve", *arguments])


if __name__ == "__main__":
    sys.exit(main())
