"""From one version to the next: one update for all who see the same, made of parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bluebear.protocol import JSON, MSGPACK, Codec, Logged, RoomNumber, Update, crc
from bluebear.protocol import Room as Snapshot
from bluebear.protocol.short_keys import KEYS_MAX
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.merge_patch import apply
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat, require
from bluebear.server.limits import SENTENCES_VERSIONS, SUM_EVERY
from bluebear.server.room.fold_context import Folded
from bluebear.server.room.reducer import fold
from bluebear.server.room.state import Room
from bluebear.server.rooms import broadcast, views
from bluebear.server.rooms.broadcast import UpdateFrames
from bluebear.server.rooms.views import (
    Audience,
    VersionViews,
    audience,
    game_body,
    keys_of,
    snapshot,
)
from bluebear.server.sentences import event_line
from tests.server.fixtures import GAMES, Stage
from tests.support.views import view_of

ONE: Eyes = frozenset({Seat(1)})
TWO: Eyes = frozenset({Seat(2)})
ALL_VIEWERS = (SPECTATOR, ONE, TWO)
BOTH = pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])


def listener(eyes: Eyes, codec: Codec = JSON, *, events: bool = False) -> Audience:
    return audience(codec, RoomNumber(1), eyes, "en", events=events)


def step(stage: Stage, name: str, line: str) -> tuple[Room, Room, UpdateFrames]:
    """A line, and the way from the version before to the one after it."""
    old = stage.room
    stage.play(name, line)
    new = stage.room
    return old, new, UpdateFrames(old, folded_again(stage, old), GAMES[new.table.game])


def folded_again(stage: Stage, old: Room) -> Folded:
    """What the newest entry has made of the room before it."""
    return fold(old, stage.entries()[-1], GAMES)


def update(publication: UpdateFrames, audience: Audience) -> Update:
    made = audience.codec.decode_server(publication.frame(audience))
    assert isinstance(made, Update)
    return made


@BOTH
@pytest.mark.parametrize("line", ["/go mill", "/dig", "hello", "/pause"])
def test_an_update_takes_every_viewer_to_the_next_version(
    stage: Stage, codec: Codec, line: str
) -> None:
    stage.game("journey", "Ayu", "Ben")
    old, new, publication = step(stage, "Ayu", line)
    game = GAMES["journey"]
    for eyes in ALL_VIEWERS:
        frame = update(publication, listener(eyes, codec))
        view: Any = view_of(old, game, eyes)  # Any: a plain tree
        for patch in (frame.patch, frame.own):
            view = view if patch is None else apply(patch, view)
        assert crc(view) == crc(view_of(new, game, eyes))


def test_what_other_people_cannot_see_changes_nothing_for_them(stage: Stage) -> None:
    """A player who sees the same as before may play the same: legal lines are not sent again."""
    stage.game("railroad_ink", "Ayu", "Ben")
    for expected in ([True, True, True], [False, True, False]):
        line = GAMES["railroad_ink"].grammar.format(
            GAMES["railroad_ink"].plain(stage.room.game, Seat(1))[0]
        )
        _, _, publication = step(stage, "Ayu", line)
        assert [publication.changes_view_of(eyes) for eyes in ALL_VIEWERS] == expected, (
            "that somebody draws is open once a round, the drawings are not"
        )
    _, _, publication = step(stage, "Ayu", "hello")
    assert not any(publication.changes_view_of(eyes) for eyes in ALL_VIEWERS)


def test_only_the_owner_gets_the_private_section(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/dig")
    private = {eyes: update(publication, listener(eyes)).own for eyes in ALL_VIEWERS}
    assert {eyes for eyes, section in private.items() if section is not None} == {ONE}


def test_events_and_sentences_are_for_these_eyes(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/seal 3")
    of_seat = update(publication, listener(ONE, events=True))
    theirs = update(publication, listener(TWO, events=True))
    assert of_seat.text == ("Ayu seals the 3.",)
    assert theirs.text == ("Ayu seals a card.",)
    assert "3" in repr(of_seat.events)
    assert "3" not in repr(theirs.events)


def test_who_wants_no_sentences_gets_none(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/go mill")
    silent = audience(JSON, RoomNumber(1), SPECTATOR, None, events=False)
    frame = update(publication, silent)
    assert (frame.text, frame.events) == (None, None)


def test_those_who_see_the_same_share_the_same_bytes(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/go mill")
    first = publication.frame(listener(SPECTATOR))
    assert publication.frame(listener(SPECTATOR)) is first


def test_the_sayers_update_carries_the_answer(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/go mill")
    frame = JSON.decode_server(publication.answer_frame(listener(ONE), "line1"))
    assert isinstance(frame, Update)
    assert frame.done == "line1"


def test_a_check_sum_is_sent_every_so_many_versions(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    while stage.room.version % SUM_EVERY != SUM_EVERY - 1:
        stage.play("Ben", "hm")
    _, new, publication = step(stage, "Ayu", "/dig")
    for eyes in ALL_VIEWERS:
        expected = crc(view_of(new, GAMES["journey"], eyes))
        assert update(publication, listener(eyes)).sum == expected
    _, _, publication = step(stage, "Ben", "hm")
    assert update(publication, listener(SPECTATOR)).sum is None


@pytest.mark.parametrize("line", ["/start", "/again"])
def test_a_new_board_is_shown_completely(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    if line == "/again":
        stage.play("Ayu", "/start", "/resign !")
    _, _, publication = step(stage, "Ayu", line)
    assert publication.resets


def test_a_move_is_not_shown_completely(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/go mill")
    assert not publication.resets


@BOTH
def test_a_snapshot_is_the_complete_view_with_its_sum(stage: Stage, codec: Codec) -> None:
    stage.game("sealed", "Ayu", "Ben")
    stage.play("Ayu", "/seal 3")
    shot = snapshot(VersionViews(stage.room, GAMES["sealed"]), listener(ONE, codec), game_hash="h")
    read = codec.decode_server(codec.encode(shot))
    assert isinstance(read, Snapshot)
    assert read.sum == crc(read.view)
    assert (read.eyes, read.hash, read.version) == ((1,), "h", stage.room.version)
    assert "Ayu seals the 3." in [line.text for line in read.log]


def test_a_snapshot_has_no_hidden_section_of_the_room(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", kind="unlisted")
    stage.play("Ayu", "/password sesame", "/invite", "/start")
    text = repr(snapshot(VersionViews(stage.room, GAMES["journey"]), listener(ONE), game_hash="h"))
    table = stage.room.table
    for secret in (
        table.secret,
        table.password,
        stage.people["Ayu"].id,
        *require(table.invites),
    ):
        assert secret
        assert secret not in text


def test_every_viewer_follows_a_complete_game_from_any_point(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["rounds 2"])
    for card in (1, 2):
        stage.play("Ayu", f"/seal {card}")
        stage.play("Ben", f"/seal {card + 1}")
    game, entries = GAMES["sealed"], stage.entries()
    for eyes in ALL_VIEWERS:
        old: Room | None = None
        view: Any = None  # Any: a plain tree
        for number in range(1, len(entries) + 1):
            folded = fold(old, entries[number - 1], GAMES)
            new = folded.room
            if old is not None:
                made = UpdateFrames(old, folded, game)
                if made.resets or view is None:
                    view = view_of(new, game, eyes)
                else:
                    frame = update(made, listener(eyes))
                    for patch in (frame.patch, frame.own):
                        view = view if patch is None else apply(patch, view)
                assert crc(view) == crc(view_of(new, game, eyes))
            old = new


def test_who_wants_short_keys_gets_the_table_before_the_first_view(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    ayu = stage.people["Ayu"]
    assert ayu.codec is MSGPACK
    kinds = [message.type for message in ayu.messages]
    assert kinds.index("game") == kinds.index("room") - 1
    assert kinds.count("game") == 1
    stage.sync("Ayu")
    assert [message.type for message in ayu.messages].count("game") == 1
    ben = stage.people["Ben"]
    assert ben.codec is JSON
    assert "game" not in [message.type for message in ben.messages]


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_name_that_a_game_s_classes_declare_is_short(key: str) -> None:
    """One byte each; what else is a key (a town, a word of the rules) stays text."""
    game = GAMES[key]
    names = keys_of(game).names
    assert len(names) == len(set(names)) <= KEYS_MAX
    assert list(names) == game_body(game)["keys"]
    outcome = game.setup(game.info.complete({}), game.info.seats.min, FastChance(1))
    view = {"game": game.tree.view(outcome.state, frozenset({Seat(1)}))}
    assert set(fields_in(game.tree.view_schema(), view["game"])) <= set(names)


def fields_in(schema: Any, view: Any) -> Iterator[str]:  # Any: plain trees
    """The keys of a view that its schema names one by one."""
    if isinstance(view, dict):
        named = schema.get("properties", {})
        for name, below in view.items():
            if name in named:
                yield name
            yield from fields_in(named.get(name) or schema.get("additionalProperties") or {}, below)


@pytest.fixture
def sentences_made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that were made, in order."""
    made: list[str] = []

    def count(*args: Any) -> str | None:  # Any: handed on
        line = event_line(*args)
        made.append(str(line))
        return line

    for module in (views, broadcast):
        monkeypatch.setattr(module, "event_line", count)
    return made


def log_of(stage: Stage, name: str) -> tuple[Logged, ...]:
    stage.wait(2)
    stage.sync(name)
    shown = stage.people[name].last(Snapshot)
    assert isinstance(shown, Snapshot)
    return shown.log


def fresh_log(stage: Stage, name: str) -> tuple[Logged, ...]:
    connection = stage.people[name].connection
    assert connection is not None
    member = stage.live.present.members[connection]
    views = VersionViews(stage.room, GAMES[stage.room.table.game])
    return snapshot(views, member.audience, game_hash="").log


def test_a_sentence_that_hides_nothing_is_made_once_for_all(
    stage: Stage, sentences_made: list[str]
) -> None:
    stage.game("journey", "Ayu", "Ben")
    _, _, publication = step(stage, "Ayu", "/go mill")
    sentences_made.clear()
    texts = {update(publication, listener(eyes)).text for eyes in ALL_VIEWERS}
    assert texts == {tuple(sentences_made)}


def test_a_later_snapshot_makes_only_the_new_sentences(
    stage: Stage, sentences_made: list[str]
) -> None:
    stage.game("journey", "Ann", "Bo")
    before = log_of(stage, "Ann")
    sentences_made.clear()
    stage.say("Bo", "well played")
    sentences_made.clear()
    again = log_of(stage, "Ann")
    assert len(sentences_made) == 1
    assert again == fresh_log(stage, "Ann")
    assert again[: len(before)] == before


def test_a_new_name_at_a_seat_leaves_the_older_sentences(
    stage: Stage, sentences_made: list[str]
) -> None:
    stage.table("journey", "Ann", "Bo")
    stage.say("Bo", "hello")
    before = log_of(stage, "Ann")
    stage.play("Bo", "/leave")
    stage.come("Cid")
    stage.enter("Cid")
    stage.play("Cid", "/join")
    sentences_made.clear()
    again = log_of(stage, "Ann")
    assert sentences_made == ["Bo left the seat.", "Cid took a seat."]
    assert again == fresh_log(stage, "Ann")
    assert again[: len(before)] == before


def test_sentences_of_a_snapshot_are_dropped_after_some_versions(
    stage: Stage, sentences_made: list[str]
) -> None:
    stage.game("journey", "Ann", "Bo")
    log_of(stage, "Ann")
    for number in range(SENTENCES_VERSIONS + 1):
        stage.say("Bo", f"word {number}")
        stage.wait(1)
    sentences_made.clear()
    assert len(log_of(stage, "Ann")) == len(sentences_made)
