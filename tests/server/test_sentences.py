"""Does the server have a sentence for everything it says, and does it say every sentence it has?

What the code asks for is read from its syntax: refusals that are raised, keys that are said.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, get_args

import pytest

from bluebear.__main__ import PROGRAMS
from bluebear.protocol import Code
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.phrases import LANGS, Lang, Phrases
from bluebear.rules.core.visibility import Event, field_names
from bluebear.server.commands.answers import DESCRIBED_BOTS
from bluebear.server.commands.scene import Role
from bluebear.server.features import COMMANDS
from bluebear.server.people.account import Scope
from bluebear.server.room.events import VoteOpened, room_events
from bluebear.server.room.options import GENERAL
from bluebear.server.room.rated_games import Unrated
from bluebear.server.room.state import Phase, VoteKind
from bluebear.server.sentences import SERVER
from tests.server.commands.fixtures import GAMES

SERVER_FOLDER: Final = Path(__file__).parents[2] / "server"
CORE: Final = Phrases.load("bluebear.rules.core", "phrases.toml")
REFUSALS: Final = ("NotAllowed", "NotUnderstood", "Ambiguous")
KEY: Final = re.compile(
    r"(answer|backup|bye|help|mark|migrate|note|rash|records|serve|span)\.[a-z_]+|refusal_hint"
)
NOT_OPENED: Final = re.compile(
    r"journal_(behind|foreign|in_use|newer|older|unusable)|node_lives|store_refused|in_use"
)
JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")

VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "kind": tuple(VoteKind),
    "outcome": ("passed", "failed", "dropped", "withdrawn"),
    "ballot": ("yes", "no"),
    "how": ("score", "resigned"),
    "locked": ("on", "off"),
    "who": (Role.SEATED, Role.HOST, Role.OPERATOR),
    "deed": (
        *("operator", "no_operator", "announce", "lockdown", "lockdown_over", "silence"),
        *("silence_over", "banish", "banish_over", "saveall", "backup", "forgotten", "report"),
    ),
    "when": tuple(Phase),
    "scope": tuple(Scope),
    "scopes": tuple(Scope),
}
"""Parameters whose values are told in words of their own."""

BUILT: Final = frozenset(
    (
        *(f"command.{name}" for name in COMMANDS),
        *(f"argument.{each.name}" for one in COMMANDS.values() for each in one.arguments),
        *(f"option.{name}" for name in GENERAL),
        *(f"phase.{phase}" for phase in Phase),
        *(f"event.vote_opened.{kind}" for kind in VoteKind),
        "event.undo_reach_hidden",
        "event.undo_reach_mine",
        *(event_form(kind).key for kind in room_events() if kind is not VoteOpened),
        *(f"answer.bot_{name}" for name in DESCRIBED_BOTS),
        *(
            f"serve.{name}_{why}"
            for name in ("operator", "forgotten")
            for why in ("unknown", "guest")
        ),
        *(f"answer.unrated_{reason}" for reason in get_args(Unrated) if reason),
        *(f"word.{slot}.{value}" for slot, values in VALUES.items() for value in values),
    )
)
"""Keys that are put together from the server's own tables."""


class Raised(NamedTuple):
    """One place where a refusal is raised."""

    position: str
    code: str
    params: frozenset[str]


@cache
def modules() -> Mapping[str, ast.Module]:
    return {
        str(path.relative_to(SERVER_FOLDER)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SERVER_FOLDER.rglob("*.py"))
    }


def calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions or classes with these names, and where they are."""
    for name, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called in names:
                    yield f"{name}:{node.lineno}", node


def raised() -> list[Raised]:
    made = []
    for position, call in calls(*REFUSALS):
        code = ast.literal_eval(call.args[0])
        params = frozenset(term.arg for term in call.keywords if term.arg is not None)
        made.append(Raised(position, code, params))
    for position, call in calls("only"):  # of a lexicon
        code = ast.literal_eval(call.args[1])
        made.append(Raised(position, code, frozenset({"given", "candidates"})))
    return made


def codes() -> frozenset[str]:
    """Every code that the server refuses with, those of the protocol's layer too."""
    named = {
        Code[node.attr].value
        for module in modules().values()
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code"
    }
    return frozenset(named | {each.code for each in raised()})


def keys_in_code() -> frozenset[str]:
    """Every key that stands in the code as a whole."""
    results = set()
    for module in modules().values():
        nodes = list(ast.walk(module))
        # What begins a text that is put together is no key.
        starts = {id(each.values[0]) for each in nodes if isinstance(each, ast.JoinedStr)}
        for node in nodes:
            if id(node) in starts:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if KEY.fullmatch(node.value):
                    results.add(node.value)
                elif NOT_OPENED.fullmatch(node.value):
                    results.add(f"serve.{node.value}")
    return frozenset(results)


def help_keys() -> set[str]:
    """The keys of what is said of the arguments of commands."""
    nodes = (node for _, call in calls("add", "setting", "several") for node in call.args)
    names = [
        node.value.lstrip("-")
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    owners = ("", *(f"{command}_" for command in PROGRAMS))
    return {f"help.{owner}{name}" for owner in owners for name in names}


def text_of(key: str, lang: Lang) -> str:
    phrase = SERVER.find(key)
    assert phrase is not None, key
    return phrase.text(lang)


def params_of(key: str) -> frozenset[str]:
    phrase = SERVER.find(key)
    assert phrase is not None, key
    return phrase.params("en")


def test_everything_that_is_requested_has_a_sentence() -> None:
    wanted = BUILT | keys_in_code() | {f"refusal.{code}" for code in codes()}
    assert sorted(key for key in wanted if key not in SERVER) == []


def test_every_sentence_is_requested() -> None:
    wanted = BUILT | help_keys() | keys_in_code() | {f"refusal.{code}" for code in codes()}
    assert sorted(set(SERVER) - wanted) == []


def test_every_refusal_gives_its_sentence_what_it_wants() -> None:
    short = [each for each in raised() if not params_of(f"refusal.{each.code}") <= each.params]
    assert short == []


def test_every_saying_gives_its_sentence_what_it_wants() -> None:
    short = []
    for position, call in calls("say"):
        key = call.args[0] if call.args else None
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value in SERVER:
            given = {term.arg for term in call.keywords}
            if not params_of(key.value) <= given:
                short.append(position)
    assert short == []


@pytest.mark.parametrize("kind", room_events(), ids=lambda kind: kind.__name__)
def test_an_event_has_the_fields_that_its_sentence_names(kind: type[Event]) -> None:
    keys = [event_form(kind).key]
    if kind is VoteOpened:
        keys = [f"event.vote_opened.{each}" for each in VoteKind]
    registered = {*field_names(kind), "time"}  # the seconds of a vote, in words
    assert [key for key in keys if not params_of(key) <= registered] == []


def test_every_code_of_a_refusal_is_in_the_protocol() -> None:
    core = {key.removeprefix("refusal.") for key in CORE if key.startswith("refusal.")}
    assert sorted((codes() | core) - set(Code)) == []


def test_no_game_hides_a_sentence_of_the_server_behind_its() -> None:
    """But whose turn it is, both may say."""
    owned_items = {key.removeprefix("refusal.") for game in GAMES.values() for key in game.phrases}
    assert owned_items & {each.code for each in raised()} <= {"not_your_turn"}


def test_a_japanese_sentence_is_japanese() -> None:
    pure = {
        "event.said",
        "note.lobby_talk",
        "records.wrong",
        "answer.minutes_head",
        "help.argument",
    }  # nothing but what others say
    alien = [key for key in SERVER if key not in pure and not JAPANESE.search(text_of(key, "ja"))]
    assert alien == []


def test_an_english_sentence_is_not() -> None:
    alien = [key for key in SERVER if JAPANESE.search(text_of(key, "en"))]
    assert alien == []


def test_whoever_is_called_a_seat_is_called_by_name() -> None:
    """`{seat}` becomes a name, so a number before or after it would be nonsense."""
    numbered = re.compile(r"(seat|席) ?\{(seat|other|owner|winner|by)\}", re.IGNORECASE)
    texts = [(key, text_of(key, lang)) for key in SERVER for lang in LANGS]
    assert [key for key, text in texts if numbered.search(text)] == []
