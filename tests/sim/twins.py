"""`python -m tests.sim.twins SEED...`: storms in which the page's sessions, in Node, do what the
Python ones do; `--record` keeps their tapes in `tests/corpus/sessions`, for the suites of both.

Each session gets its input in both languages; what it sends and what has happened must be the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from bluebear.clients.sdk.client_events import (
    Entered,
    Happening,
    Left,
    NeedSync,
    NotAnswered,
    Replied,
    Reply,
    RoomId,
    Slowed,
    Synced,
    Updated,
    Welcomed,
)
from bluebear.clients.sdk.session import ClientSession, SessionOutput
from bluebear.clients.transport.errors import HelloRefused
from bluebear.protocol import JSON, Answer, Bye, ClientMessage, Hello, ServerMessage, Version
from tests.sim.chaos import STORM, storm
from tests.sim.simulated_clients import Ids
from tests.sim.virtual_loop import run

WEB: Final = Path(__file__).parents[2] / "clients" / "web"
TAPES: Final = Path(__file__).parents[1] / "corpus" / "sessions"
Plain = dict[str, Any]  # Any: JSON


def reported(happening: Happening) -> Plain | None:
    """An event as both twins tell it; None for what one of them has no event for."""
    match happening:
        case Welcomed(again=again):
            return {"is": "welcomed", "again": again}
        case Entered(room=room, version=version):
            return {"is": "entered", "room": room, "version": version}
        case Synced(room=room, version=version):
            return {"is": "synced", "room": room, "version": version}
        case Updated(room=room, version=version, done=done):
            return {"is": "updated", "room": room, "version": version, "done": done}
        case Left(room=room, text=text):
            return {"is": "left", "room": room, "text": text}
        case Replied(reply):
            return {"is": "replied", **_reply_fields(reply)}
        case NotAnswered(reply):
            return {"is": "not_answered", **_reply_fields(reply)}
        case Answer(id=query):
            return {"is": "answered", "id": query}
        case Bye(why=why):
            return {"is": "farewell", "why": why}
        case Slowed():
            return {"is": "slowed"}
        case NeedSync(number=number, room=room):
            return {"is": "need_sync", "number": number, "room": room}
        case _:
            return None


def _reply_fields(reply: Reply) -> Plain:
    return {"id": reply.id, "ok": reply.ok, "code": str(reply.code), "room": reply.room}


def result_of(send: Iterable[ClientMessage], happened: Iterable[Happening]) -> Plain:
    """What a step has led to, as JSON."""
    return {
        "send": [json.loads(JSON.encode(message)) for message in send],
        "happened": [event for each in happened if (event := reported(each)) is not None],
    }


class Tape:
    """The inputs of some sessions, with their results; `twin` must have the same ones."""

    def __init__(self, twin: Twin | None = None) -> None:
        self.lines: list[Plain] = []
        self.differences: list[str] = []
        self._twin = twin

    def session(self, hello: Hello, ids: Ids) -> ClientSession:
        """See `SessionMaker`."""
        return TwinSession(hello, ids, self, len(self.lines))

    def note(self, line: Plain, result: Plain) -> None:
        """An input, and what it has led to."""
        self.lines.append({**line, **result})
        if self._twin is not None and (other := self._twin.does(line)) != result:
            self.differences.append(f"{line}\n  Python: {result}\n  page:   {other}")


class TwinSession(ClientSession):
    """A session whose inputs and results go to a tape."""

    def __init__(self, hello: Hello, ids: Ids, tape: Tape, number: int) -> None:
        super().__init__(hello, ids)
        self._taken = ids
        self._tape = tape
        self._number = number
        line = self._input("new", hello=json.loads(JSON.encode(hello)), prefix=ids.prefix)
        self._note(line, SessionOutput())

    def _input(self, do: str, **args: object) -> Plain:
        """What comes in, before it is carried out."""
        given = {key: each for key, each in args.items() if each is not None}
        taken = self._taken.count
        return {"session": self._number, "taken": taken, "do": do, **given}

    def _note(self, line: Plain, output: SessionOutput) -> SessionOutput:
        self._tape.note(line, result_of(output.send, output.happened))
        return output

    def connect(self, token: str | None = None) -> Hello:
        """See ClientSession."""
        line = self._input("connect", token=token)
        hello = super().connect(token)
        self._note(line, SessionOutput((hello,)))
        return hello

    def say(
        self, text: str, *, room: RoomId | None = None, at: Version | None = None
    ) -> tuple[str, SessionOutput]:
        """See ClientSession."""
        line = self._input("say", text=text, room=room, at=at)
        say_id, output = super().say(text, room=room, at=at)
        return say_id, self._note(line, output)

    def go_on(self) -> SessionOutput:
        """See ClientSession."""
        line = self._input("go_on")
        return self._note(line, super().go_on())

    def receive(self, message: ServerMessage) -> SessionOutput:
        """See ClientSession."""
        line = self._input("receive", message=json.loads(JSON.encode(message)))
        try:
            return self._note(line, super().receive(message))
        except HelloRefused as refused:
            refusal = {"is": "hello_refused", "code": str(refused.code)}
            self._tape.note(line, {"send": [], "happened": [refusal]})
            raise


class Twin:
    """The page's sessions, in a process of Node's. A context manager."""

    def __enter__(self) -> Self:
        command = (WEB / "with-node", "node", "--experimental-strip-types", "tests/twin.ts")
        self._node = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._node.communicate()

    def does(self, line: Plain) -> Plain:
        """What its session does with an input."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._node.stdin.flush()
        result: Plain = json.loads(self._node.stdout.readline() or '{"dead": true}')
        return result


def main(argv: Sequence[str]) -> int:
    """Run storms, and say where the twins differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.twins", description=__doc__)
    parser.add_argument("seeds", nargs="+", type=int, metavar="SEED")
    parser.add_argument("--record", action="store_true", help="keep the tapes")
    given = parser.parse_args(argv)
    logging.basicConfig(level=logging.CRITICAL)
    bad = 0
    with Twin() as twin:
        for seed in given.seeds:
            tape = Tape(twin)
            faults = run(storm(seed, STORM, session=tape.session)).faults + tape.differences
            report = [f"seed {seed}: {len(tape.lines)} inputs", *faults[:3]]
            sys.stdout.write("\n  ".join(report) + "\n")
            bad += bool(faults)
            if given.record:
                text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in tape.lines)
                packed = gzip.compress(text.encode(), mtime=0)
                (TAPES / f"storm-{seed}.jsonl.gz").write_bytes(packed)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
