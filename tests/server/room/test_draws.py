"""Fair draws: the commitment comes first, the seats add to it, and the record proves it all."""

from __future__ import annotations

import random

import pytest

from bluebear.protocol import Answer, Ask, Moves
from bluebear.rules.core.chance import commitment
from bluebear.rules.core.record import RecordError, parse_record, replay, verify
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.server.limits import HOUSE_BOT_SECONDS
from bluebear.server.room.reducer import fold
from bluebear.server.room.snapshot import record_of
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage
from tests.support.fold_entries import fold_all

SEED = "0123456789abcdef0123456789abcdef"


def record(stage: Stage, eyes: frozenset[Seat] = frozenset()) -> str:
    return record_of(stage.room, stage.games[stage.room.table.game], eyes)


def verified(stage: Stage) -> None:
    """The finished game's record proves every draw."""
    assert stage.room.table.phase is Phase.OVER
    game = stage.games[stage.room.table.game]
    text = record(stage)
    assert verify(game, parse_record(text))[-1].state == stage.room.game


def play_out(stage: Stage, *names: str) -> None:
    """All players play legal moves, always the same, until the game is over."""
    choose = random.Random(7)
    game = stage.games[stage.room.table.game]
    while stage.room.table.phase is Phase.PLAYING:
        seat = Seat(stage.room.table.turn[0])
        moves = list(game.plain(stage.room.game, seat))
        stage.play(stage.room.name_of(seat), game.grammar.format(choose.choice(moves)))


# Commit, then reveal.


def test_the_commitment_is_public_from_the_first_entry(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    table = stage.room.table
    assert stage.people["Ben"].view["room"]["commit"] == table.commit
    assert table.commit == commitment(bytes.fromhex(require(table.secret)))


def test_the_secret_is_in_nobodys_frames_before_the_end(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["days 1"])
    secret = require(stage.room.table.secret)
    stage.play("Ayu", "/dig", "/info", "/record")
    for listener in stage.people.values():
        assert secret not in repr(listener.messages)
    stage.play("Ben", "/dig")
    assert secret in repr(stage.people["Eva"].messages)


def test_seats_add_their_seeds_after_the_commitment(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ben", f"/seed {SEED}") == stage.to_all("Ben added to the seed of the dice.")
    assert stage.people["Ayu"].view["room"]["seats"]["2"]["seed"] == SEED


def test_a_seed_has_the_seat(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Eva", f"/join 2 seed={SEED.upper()}")
    assert stage.room.seats[Seat(2)].seed == SEED


@pytest.mark.parametrize("seed", ["12", "xyz", SEED + "00", "g" * 32])
def test_a_seed_is_sixteen_bytes(stage: Stage, seed: str) -> None:
    stage.table("journey", "Ayu")
    assert stage.refused("Ayu", f"/seed {seed}") in ("bad_seed", "bad_word")


def test_other_seeds_make_other_draws() -> None:
    keys = set()
    for seed in (SEED, SEED[::-1]):
        with Stage() as stage:
            stage.table("journey", "Ayu", "Ben")
            stage.play("Ben", f"/seed {seed}")
            stage.play("Ayu", "/start")
            keys.add(stage.room.key)
    assert len(keys) == 2


def test_no_seed_is_added_after_the_start(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ben", f"/seed {SEED}") == "not_now"


def test_no_game_starts_without_the_secret_that_was_committed_to(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    first, *rest = stage.entries()
    forged = but(first, facts={**first.facts, "seed": "00" * 32})
    room = fold_all(None, [forged, *rest], stage.games)
    start = but(rest[-1], seq=rest[-1].seq + 1, lines=("/start",))
    with pytest.raises(NotAllowed, match="internal"):
        fold(room, start, stage.games)


def test_every_game_of_a_room_has_a_separate_secret(stage: Stage) -> None:
    stage.game("journey", "Ayu")
    first = stage.room.table
    stage.play("Ayu", "/resign !", "/again")
    assert stage.room.table.secret != first.secret
    assert stage.room.table.commit == commitment(bytes.fromhex(require(stage.room.table.secret)))


# Records.


@pytest.mark.parametrize("game", ["manhattan", "journey", "sealed", "duel"])
def test_the_record_of_a_finished_game_is_verified(stage: Stage, game: str) -> None:
    stage.table(game, "Ayu", "Ben")
    stage.play("Ben", f"/seed {SEED}")
    stage.play("Ayu", "/option drawseat on", "/start")
    play_out(stage, "Ayu", "Ben")
    verified(stage)


def test_a_record_with_everything_in_it_is_verified(stage: Stage) -> None:
    """Undo, time-outs, a seat given up and taken over, a stand-in, a resignation."""
    names = ("Ayu", "Ben", "Cem")
    stage.game("journey", *names, watching=["Eva"], options=["days 4", "clock 60+5"])
    stage.play("Ayu", "/go mill", "/rest", "/undo", "/undo", "/go market dig")
    stage.wait(60)
    stage.play("Cem", "/go mill castle dig", "/undo")
    stage.play("Ayu", "/accept")
    stage.play("Ben", "/accept")
    stage.play("Ben", "/leave !")
    stage.play("Cem", "/go mill", "/rest")
    stage.play("Eva", "/join")
    stage.play("Ayu", "/accept", "/go harbor dig")
    stage.play("Cem", "/accept")
    stage.play("Eva", "/go castle dig")
    stage.play("Cem", "/dig", "/resign !")
    stage.wait(2000)
    verified(stage)


def test_a_record_with_an_undo_at_a_digest_is_verified(stage: Stage) -> None:
    """The sixteenth line is taken back and made again; and the game is given up right there."""
    stage.game("journey", "Ayu", "Ben", options=["days 4"])
    for name in ("Ayu", "Ben"):
        stage.play(name, "/go mill", "/go castle", "/go mill", "/rest")
    for name in ("Ayu", "Ben"):
        stage.play(name, "/go harbor", "/go mill", "/go castle", "/rest")
    stage.play("Ben", "/undo", "/rest")
    stage.play("Ayu", "/go mill")
    stage.play("Ayu", "/back")
    stage.play("Ben", "/resign !")
    verified(stage)


def test_a_record_given_up_right_after_an_undo_is_verified(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["days 4"])
    for name in ("Ayu", "Ben"):
        stage.play(name, "/go mill", "/go castle", "/go mill", "/rest")
    for name in ("Ayu", "Ben"):
        stage.play(name, "/go harbor", "/go mill", "/go castle", "/rest")
    stage.play("Ayu", "/go mill", "/rest", "/undo", "/undo")
    stage.play("Ben", "/resign !")
    verified(stage)


def test_a_record_of_a_void_game_is_verified(stage: Stage) -> None:
    stage.game("journey", "Ayu")
    stage.play("Ayu", "/dig", "/masterreset !")
    verified(stage)


def test_a_record_with_house_bots_is_verified(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/bot", "/option days 2", "/start")
    for position in ("mill", "castle"):
        stage.play("Ayu", f"/go {position} dig")
        stage.wait(HOUSE_BOT_SECONDS)
    verified(stage)


def test_a_changed_record_is_not_verified(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["days 1"])
    stage.play("Ayu", "/go mill dig")
    stage.play("Ben", "/dig")
    text = record(stage).replace("1 /go mill", "1 /go market")
    with pytest.raises(RecordError):
        verify(stage.games["journey"], parse_record(text))


def test_the_record_of_a_running_game_hides_what_its_reader_may_not_see(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/seal 3")
    [of_seat] = stage.say("Ayu", "/record")["Ayu"]
    [theirs] = stage.say("Eva", "/record")["Eva"]
    assert "\n1 /seal 3\n" in of_seat
    assert "\n1 ?\n" in theirs


def test_no_digest_leaves_the_server_before_the_end(stage: Stage) -> None:
    stage.game("journey", "Ayu")
    for _ in range(9):
        stage.play("Ayu", "/go mill", "/back")
    digests = [entry.digest for entry in stage.entries() if entry.digest]
    assert digests
    [note] = stage.say("Ayu", "/record")["Ayu"]
    for digest in digests:
        assert digest not in note
        assert digest not in repr(stage.people["Ayu"].messages)


def test_an_edited_record_replays_without_its_sums(stage: Stage) -> None:
    stage.game("journey", "Ayu", options=["days 1"])
    stage.play("Ayu", "/go mill dig")
    stored = [line for line in record(stage).splitlines() if line[:2] not in ("= ", "su")]
    assert replay(stage.games["journey"], parse_record("\n".join(stored) + "\n"))


def test_a_record_is_requested_as_well_as_typed(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    listener = stage.people["Ben"]
    stage.frame("Ben", listener.codec.encode(Ask(id="q", room=listener.room, what="record")))
    assert listener.last(Answer).body["text"] == record(stage, frozenset({Seat(2)}))


def test_moves_go_to_whoever_is_to_move_and_wants_them(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.people["Ayu"].last(Moves).lines == ("/dig", "/go market", "/go mill")
    assert not any(isinstance(each, Moves) for each in stage.people["Ben"].messages)
