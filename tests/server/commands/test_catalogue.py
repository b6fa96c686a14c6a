"""The live catalogue and completion: what is catalogued is accepted, and the other way round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import Choice
from bluebear.server.commands.catalogue import (
    ArgumentItem,
    Completion,
    Item,
    candidates,
    catalogue,
    complete,
)
from bluebear.server.commands.command import Argument, Command, may_use
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene
from bluebear.server.features import COMMANDS
from bluebear.server.room.state import Phase
from tests.server.commands.fixtures import GAMES, House, opened, playing

DENIED: Final = ("not_permitted", "not_now", "not_in_room")
NOT_UNDERSTOOD: Final = (
    "unknown_command",
    "ambiguous_command",
    "command_missing",
    "bad_word",
    "bad_value",
    "extra_argument",
    "no_such_game",
    "no_such_option",
    "no_such_person",
    "no_such_player",
    "no_such_area",
    "no_such_paragraph",
    "no_such_bot",
    "no_such_seat",
)
FREE: Final = {"name": "Nova", "text": "hello", "hex": "ab" * 16, "password": "x", "token": "all"}
"""Words for arguments that have no list."""


STAGES: Final = ("empty", "waiting", "playing", "voting", "paused", "over", "frozen")

SCENES: Final = [
    "lobby",
    *(f"{key} {stage}" for key in GAMES for stage in STAGES),
]


@cache
def house_of(scene_name: str) -> House:
    """The lobby, or a room of a game at some stage; nothing here changes it."""
    if scene_name == "lobby":
        house = House()
        house.meet("Ayu", "Ben", "Wen")
        return house
    key, stage = scene_name.split()
    if stage in ("empty", "waiting"):
        house = opened(key)
        house.enter("Ben", "Wen", lang="ja")
        if stage == "waiting":
            house.script("Ayu: /join", "Ayu: /bot")
        return house
    house = playing(key, seats=3 if stage == "paused" else 2)
    if stage == "voting":
        house.script("Ben: /masterreset !")
    elif stage == "paused":
        house.third_leaves()
        house.script("Ben: /pause", "Ayu: /accept")
    elif stage == "over":
        house.script("Ayu: /resign !")
    elif stage == "frozen":
        house.act("server", "@freeze")
    return house


@cache
def scenes() -> tuple[tuple[str, Scene], ...]:
    """The host, a player or guest, and a spectator, in every place; each with a name for it."""
    return tuple(
        (f"{position} {name}", house_of(position).scene(name))
        for position in SCENES
        for name in ("Ayu", "Ben", "Wen")
    )


CODES: Final[dict[tuple[str, str], str]] = {}
"""The refusals of lines by scene, for the tests that read the same lines."""


def test_every_command_that_is_catalogued_is_permitted_and_read() -> None:
    wrong = [
        (where, typed, code)
        for where, scene in scenes()
        for item in catalogue(scene)
        if item["kind"] == "command"
        for typed in lines_of(item)
        if (code := code_of(where, scene, typed)) in (*DENIED, *NOT_UNDERSTOOD)
    ]
    assert wrong == []


def lines_of(item: Item) -> Iterator[str]:
    """The shortest line of a command, then one for each candidate of each argument."""
    terms = [f"/{item['name']}"]
    for argument in item["arguments"]:
        if not argument["optional"]:
            offered = argument["candidates"]
            terms.append(offered[0] if offered else FREE.get(argument["name"], "1"))
    if not any(missing(argument) for argument in item["arguments"]):
        yield " ".join(terms)
    first = item["arguments"][:1]
    rest = terms[2:]
    for argument in first:
        for candidate in argument["candidates"]:
            if (item["name"], candidate) != ("bot", "remove"):
                yield " ".join([terms[0], candidate, *rest])


def missing(argument: ArgumentItem) -> bool:
    """A required argument that has no possible value now: no person to remove, for example."""
    free = argument["name"] in FREE and argument["kind"] != "name"
    return not (argument["optional"] or argument["candidates"] or free)


def code_of(where: str, scene: Scene, typed: str) -> str:
    """The refusal of a line for which nothing was looked up yet; empty if it may go on."""
    if (where, typed) not in CODES:
        try:
            resolve(scene, typed)
            CODES[where, typed] = ""
        except Refusal as refusal:
            CODES[where, typed] = refusal.code
    return CODES[where, typed]


def test_what_all_commands_share_is_listed_once_in_a_catalogue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed: Counter[str] = Counter()

    def counted(scene: Scene, command: Command, argument: Argument, given: Any) -> list[Choice]:
        listed[f"{command.name} {argument.kind}"] += 1
        return candidates(scene, command, argument, given)

    monkeypatch.setattr("bluebear.server.commands.catalogue.candidates", counted)
    catalogue(next(scene for where, scene in scenes() if "playing" in where))
    kinds = Counter(each.partition(" ")[2] for each in listed.elements())
    assert {kinds[kind] for kind in ("command", "game", "room", "option")} <= {0, 1}
    about_all = {"tell", "whereis", "mute", "friends", "watch", "block", "silence", "banish"}
    assert sum(listed[f"{name} name"] for name in about_all) == 1


def test_every_command_that_is_permitted_is_catalogued() -> None:
    for where, scene in scenes():
        listed = {item["name"] for item in catalogue(scene) if item["kind"] == "command"}
        permitted = {name for name, command in COMMANDS.items() if may_use(scene, command)}
        assert listed == permitted - nothing_to_show(scene) - nothing_to_answer(scene), where


def nothing_to_answer(scene: Scene) -> set[str]:
    """The commands that answer a question, where none can be open."""
    may_vote = scene.seat is not None and scene.phase in (Phase.PLAYING, Phase.PAUSED)
    return set() if may_vote else {"accept", "refuse"}


def test_an_answer_is_offered_where_there_is_a_question() -> None:
    house = opened()
    scene = house.scene("Ayu")
    requested = replace(scene, speaker=replace(scene.speaker, offered_until=scene.now + 1))
    assert "accept" not in {item["name"] for item in catalogue(scene)}
    assert "accept" in {item["name"] for item in catalogue(requested)}


def nothing_to_show(scene: Scene) -> set[str]:
    """The commands that look at areas which the game has not."""
    areas = set() if scene.game is None else {area.value for area in scene.game.texts.areas}
    return {"hand"} - areas | (set() if areas else {"look"})


def test_the_verbs_that_are_catalogued_are_those_that_have_a_move() -> None:
    for where, scene in scenes():
        listed = [item["name"] for item in catalogue(scene) if item["kind"] == "move"]
        assert listed == verbs_with_a_move(scene), where


def verbs_with_a_move(scene: Scene) -> list[str]:
    """The verbs of the moves that the speaker's seat may make now."""
    if scene.room is None or scene.game is None or scene.phase is not Phase.PLAYING:
        return []
    if scene.seat is None:
        return []
    grammar, moves = scene.game.grammar, scene.game.legal(scene.room.game, scene.seat)
    named = {grammar.verb_of(move).name for move in moves}
    return [verb for verb in grammar.verbs if verb in named]


def test_what_is_completed_is_read() -> None:
    """Every candidate for a head, and each candidate after it, is a line or the start of one."""
    wrong = []
    for where, scene in scenes():
        for head in complete(scene, "/").candidates:
            if code_of(where, scene, head) in ("unknown_command", "ambiguous_command", *DENIED):
                wrong.append((where, head))
            for candidate in complete(scene, f"{head} ").candidates:
                typed = f"{head} {candidate}"
                if code_of(where, scene, typed) in ("bad_word", "bad_argument", "no_such_option"):
                    wrong.append((where, typed))
    assert wrong == []


def test_the_catalogue_is_a_tree_that_can_be_sent() -> None:
    def plain(value: object) -> bool:
        match value:
            case dict():
                return all(isinstance(key, str) and plain(each) for key, each in value.items())
            case list():
                return all(plain(each) for each in value)
            case _:
                return type(value) in (str, int, bool)

    assert [where for where, scene in scenes() if not plain(catalogue(scene))] == []


@pytest.mark.parametrize(
    ("typed", "start", "candidates"),
    [
        ("/jo", 0, ("/join",)),
        ("  /jo", 2, ("/join",)),
        ("／jo", 0, ("/join",)),
        ("/参", 0, ("/参加",)),
        ("・参", 0, ("/参加",)),
        ("/new", 0, ("/newroom",)),
        ("/newroom ", 9, tuple(GAMES)),
        ("/newroom ma", 9, ("manhattan",)),
        ("/newroom マン", 9, ("manhattan",)),
        ("/newroom レイルロードイ", 9, ("railroad_ink",)),
        ("/newroom duel p", 14, ("public", "private")),
        ("/newroom duel private s", 22, ()),
        ("/join ", 6, ("2", "3", "4")),
        ("/option six", 8, ("sixrounds",)),
        ("/option 6", 8, ("sixrounds",)),
        ("/option sixrounds o", 18, ("on", "off")),
        ("/option clock ", 14, ("300+10", "3d", "off")),
        ("/option watch i", 14, ("invited",)),
        ("/bot g", 5, ("greedy",)),
        ("/bot greedy ", 12, ("2", "3", "4")),
        ("/bot 3", 5, ()),
        ("/kick ", 6, ("Ben", "Cho")),
        ("/kick b", 6, ("Ben",)),
        ("/host ", 6, ("Ben", "Cho")),
        ("/tell D", 6, ("Dan",)),
        ("/stats D", 7, ("Dan",)),
        ("/report D", 8, ("Dan",)),
        ("/invite ", 8, ("Dan",)),
        ("/lang ", 6, ("en", "ja")),
        ("/help op", 6, ("option",)),
        (";", 0, (";Ben", ";Cho")),
        (";c", 0, (";Cho",)),
        ("；Ｃ", 0, (";Cho",)),
        ("//jo", 4, ()),
        ("hello /jo", 9, ()),
        ("", 0, ()),
        ("/xyz ", 5, ()),
        ("/undo ", 6, ()),
        ("/who ", 5, ()),
        ("/join 2 3 ", 10, ()),
    ],
)
def test_a_line_of_the_host_is_completed(
    typed: str, start: int, candidates: tuple[str, ...]
) -> None:
    """Ayu sits on seat 1 of an open room of Manhattan; Ben and Cho watch; Dan is in the lobby."""
    house = opened()
    house.enter("Ben", "Cho")
    house.meet("Dan")
    house.script("Ayu: /join 1")
    assert complete(house.scene("Ayu"), typed) == Completion(start, candidates)


@pytest.mark.parametrize(
    ("game", "typed", "candidates"),
    [
        ("tokai", "/option turnlimit ", ("off",)),
        ("tokugawa", "/option short o", ("on", "off")),
        ("itc", "/option goal ", ()),
    ],
)
def test_numbers_of_an_option_are_offered_only_if_they_are_few(
    game: str, typed: str, candidates: tuple[str, ...]
) -> None:
    assert complete(opened(game).scene("Ayu"), typed).candidates == candidates


def test_moves_are_completed_by_term() -> None:
    house = playing("journey")
    scene = house.scene("Ayu")
    assert (complete(scene, "/g"), complete(scene, "/go mi")) == (
        Completion(0, ("/go", "/gameyell")),
        Completion(4, ("mill",)),
    )


def test_no_other_person_is_offered_the_moves() -> None:
    house = playing("journey")
    assert [complete(house.scene(name), "/g").candidates for name in ("Ben", "Wen")] == [
        ("/gameyell",),
        (),
    ]


def test_a_japanese_reader_is_offered_japanese_names() -> None:
    """Each once; by its first letters in Roman, kanji or hiragana any other name is found."""
    house = opened()
    house.enter("Ben", lang="ja")
    offered = complete(house.scene("Ben"), "/").candidates
    assert "/参加" in offered
    assert not [name for name in offered if name.isascii()]
    assert complete(house.scene("Ben"), "/jo").candidates == ("/join",)
    assert complete(house.scene("Ben"), "/さん").candidates == ("/参加",)


def test_values_are_offered_in_the_terms_of_who_types() -> None:
    house = playing("manhattan")
    house.meet("Wen", lang="ja")
    house.enter("Wen", lang="ja")
    assert complete(house.scene("Wen"), "/見る ").candidates[:2] == ("ニューヨーク", "サンパウロ")
    assert complete(house.scene("Wen"), "/見る ほん").candidates == ("香港",)
    assert complete(house.scene("Wen"), "/show ho").candidates == ("hongkong",)


def test_a_query_is_completed_with_its_values() -> None:
    house = playing("manhattan")
    assert complete(house.scene("Wen"), "/show fr").candidates == ("frankfurt",)


def test_seats_of_the_house_are_offered_to_who_watches_a_running_game() -> None:
    house = playing("duel", seats=3)
    house.script("Cho: /leave !")
    assert complete(house.scene("Wen"), "/join ").candidates == ("3",)


def test_votes_are_offered_to_those_who_have_not_voted() -> None:
    house = playing("duel", seats=3)
    house.script("Ayu: /masterreset !")
    offered = [complete(house.scene(name), "/accept ").candidates for name in ("Ayu", "Ben")]
    assert offered == [(), ("1",)]


def test_a_usage_is_in_the_readers_language() -> None:
    house = opened()
    house.enter("Ben", lang="ja")
    items = {item["name"]: item for item in catalogue(house.scene("Ben"))}
    assert (items["join"]["usage"], items["join"]["arguments"][0]["label"]) == (
        "/参加 [席] [seed=16進数32桁]",
        "席",
    )
