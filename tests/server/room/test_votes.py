"""Votes: the table of the kinds row by row, and what the deciding ballot does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.limits import AWAY_SECONDS
from bluebear.server.room.state import Phase, Vote, VoteKind
from bluebear.server.room.votes import VOTE_RULES, tally
from tests.server.fixtures import Stage

# Each opens a vote of its kind at a table of Ayu, Ben and Cem, with Eva watching.


def leave_waiting(stage: Stage, name: str) -> None:
    """The player on turn is disconnected for so long that the server's question timed out."""
    stage.play("Ayu", "/dig")
    assert stage.to_move() == name
    stage.drop(name)
    stage.wait(AWAY_SECONDS)
    stage.play("Ayu", "/refuse")


def ask_undo(stage: Stage) -> None:
    """Ayu's dig drew a treasure; she would like to take it back. Ben and Cem vote."""
    stage.play("Ayu", "/dig", "/undo")


def ask_remove(stage: Stage) -> None:
    """Ben is disconnected on turn; Ayu proposes a stand-in. Ayu and Cem vote."""
    leave_waiting(stage, "Ben")
    stage.play("Ayu", "/remove Ben")


def ask_seat(stage: Stage) -> None:
    """Ben left; Eva requests that seat. Ayu and Cem vote."""
    stage.play("Ben", "/leave !")
    stage.play("Eva", "/join 2")


def ask_pause(stage: Stage) -> None:
    """Ayu would like a pause. All three vote."""
    stage.play("Ayu", "/pause")


def ask_masterreset(stage: Stage) -> None:
    """Ayu would like to end the game. All three vote."""
    stage.play("Ayu", "/masterreset !")


def ask_kick(stage: Stage) -> None:
    """Eva, who is the host and does not play, would like Ben to go. Ayu and Cem vote."""
    stage.play("Ayu", "/host Eva")
    stage.play("Eva", "/kick Ben")


ASK: dict[VoteKind, Callable[[Stage], None]] = {
    VoteKind.UNDO: ask_undo,
    VoteKind.REMOVE: ask_remove,
    VoteKind.SEAT: ask_seat,
    VoteKind.PAUSE: ask_pause,
    VoteKind.MASTERRESET: ask_masterreset,
    VoteKind.KICK: ask_kick,
}


def happened(stage: Stage, kind: VoteKind) -> bool:
    """Whether what the vote was about has come true."""
    match kind:
        case VoteKind.UNDO:
            return stage.room.table.turn == (1,)
        case VoteKind.REMOVE:
            return stage.room.seats[Seat(2)].bot is not None
        case VoteKind.SEAT:
            return stage.seat_of("Eva") == 2
        case VoteKind.PAUSE:
            return stage.room.table.phase is Phase.PAUSED
        case VoteKind.MASTERRESET:
            return stage.room.table.phase is Phase.OVER
        case VoteKind.KICK:
            return stage.room.seats[Seat(2)].person is None


def table(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])


def the_vote(stage: Stage) -> Vote:
    [vote] = stage.room.table.votes.values()
    return vote


KINDS = pytest.mark.parametrize("kind", list(VoteKind))


# Who votes, and for how long.


@pytest.mark.parametrize(
    ("kind", "voters"),
    [
        (VoteKind.UNDO, (2, 3)),
        (VoteKind.REMOVE, (1, 3)),
        (VoteKind.SEAT, (1, 3)),
        (VoteKind.PAUSE, (1, 2, 3)),
        (VoteKind.MASTERRESET, (1, 2, 3)),
        (VoteKind.KICK, (1, 3)),
    ],
)
def test_the_voters_are_the_seated_humans_that_it_concerns(
    stage: Stage, kind: VoteKind, voters: tuple[int, ...]
) -> None:
    table(stage)
    ASK[kind](stage)
    assert the_vote(stage).voters == voters


@pytest.mark.parametrize(
    ("kind", "yes"),
    [
        (VoteKind.UNDO, ()),
        (VoteKind.REMOVE, (1,)),
        (VoteKind.SEAT, ()),
        (VoteKind.PAUSE, (1,)),
        (VoteKind.MASTERRESET, (1,)),
        (VoteKind.KICK, ()),
    ],
)
def test_the_proposer_counts_as_yes_where_he_votes(
    stage: Stage, kind: VoteKind, yes: tuple[int, ...]
) -> None:
    table(stage)
    ASK[kind](stage)
    assert the_vote(stage).yes == yes


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [
        (VoteKind.UNDO, 30),
        (VoteKind.REMOVE, 30),
        (VoteKind.SEAT, 30),
        (VoteKind.PAUSE, 30),
        (VoteKind.MASTERRESET, 60),
        (VoteKind.KICK, 30),
    ],
)
def test_a_vote_ends_by_itself(stage: Stage, kind: VoteKind, seconds: int) -> None:
    table(stage)
    ASK[kind](stage)
    stage.wait(seconds - 1)
    assert stage.room.table.votes
    stage.wait(1)
    assert not stage.room.table.votes


@pytest.mark.parametrize(
    ("kind", "passes"),
    [
        (VoteKind.UNDO, False),
        (VoteKind.REMOVE, True),
        (VoteKind.SEAT, False),
        (VoteKind.PAUSE, False),
        (VoteKind.MASTERRESET, False),
        (VoteKind.KICK, False),
    ],
)
def test_silence_denotes_what_the_table_says(stage: Stage, kind: VoteKind, *, passes: bool) -> None:
    table(stage)
    ASK[kind](stage)
    stage.wait(60)
    assert happened(stage, kind) is passes


def test_who_is_away_has_no_vote(stage: Stage) -> None:
    table(stage)
    stage.drop("Cem")
    ask_pause(stage)
    assert the_vote(stage).voters == (1, 2)


def test_bots_of_other_people_have_no_vote(stage: Stage) -> None:
    stage.come("Robo", bot=True)
    stage.game("journey", "Ayu", "Ben", "Robo")
    ask_pause(stage)
    assert the_vote(stage).voters == (1, 2)


def test_house_bots_have_no_vote(stage: Stage) -> None:
    table(stage)
    stage.play("Cem", "/leave !")
    ask_pause(stage)
    assert the_vote(stage).voters == (1, 2)


def test_whoever_is_stood_in_for_has_no_vote(stage: Stage) -> None:
    table(stage)
    ask_remove(stage)
    stage.play("Cem", "/accept")
    ask_pause(stage)
    assert the_vote(stage).voters == (1, 3)


def test_two_connections_of_one_person_have_one_vote(stage: Stage) -> None:
    table(stage)
    stage.connect("Ben", client_name="Ben's other", token=stage.people["Ben"].token)
    stage.enter("Ben's other")
    ask_masterreset(stage)
    assert the_vote(stage).voters == (1, 2, 3)
    stage.play("Ben", "/accept")
    assert stage.refused("Ben's other", "/accept") == "already_voted"


# What it takes.


@pytest.mark.parametrize(
    ("kind", "ballots"),
    [
        (VoteKind.UNDO, [("Ben", "accept"), ("Cem", "accept")]),
        (VoteKind.REMOVE, [("Cem", "accept")]),
        (VoteKind.SEAT, [("Ayu", "accept"), ("Cem", "accept")]),
        (VoteKind.PAUSE, [("Cem", "accept")]),
        (VoteKind.MASTERRESET, [("Ben", "accept"), ("Cem", "accept")]),
        (VoteKind.KICK, [("Ayu", "accept"), ("Cem", "accept")]),
    ],
)
def test_it_passes_with_the_ballot_that_decides(
    stage: Stage, kind: VoteKind, ballots: list[tuple[str, str]]
) -> None:
    table(stage)
    ASK[kind](stage)
    for name, term in ballots[:-1]:
        stage.play(name, f"/{term}")
        assert not happened(stage, kind)
    before = stage.room.version
    name, term = ballots[-1]
    stage.play(name, f"/{term}")
    assert happened(stage, kind)
    assert stage.room.version == before + 1, "the ballot and its effect are one entry"


@pytest.mark.parametrize(
    ("kind", "ballots"),
    [
        (VoteKind.UNDO, [("Ben", "refuse")]),
        (VoteKind.SEAT, [("Ayu", "refuse")]),
        (VoteKind.PAUSE, [("Ben", "refuse"), ("Cem", "refuse")]),
        (VoteKind.MASTERRESET, [("Ben", "refuse")]),
        (VoteKind.KICK, [("Ayu", "refuse")]),
        (VoteKind.REMOVE, [("Cem", "refuse")]),
    ],
)
def test_it_fails_as_soon_as_it_cannot_pass(
    stage: Stage, kind: VoteKind, ballots: list[tuple[str, str]]
) -> None:
    table(stage)
    ASK[kind](stage)
    for name, term in ballots:
        stage.play(name, f"/{term}")
    assert not stage.room.table.votes
    assert not happened(stage, kind)


def test_all_people_hears_the_ballots(stage: Stage) -> None:
    table(stage)
    ask_pause(stage)
    assert stage.say("Ben", "/refuse") == stage.to_all("Ben votes no.")


def test_all_people_hears_how_it_ends(stage: Stage) -> None:
    table(stage)
    ask_pause(stage)
    assert stage.say("Ben", "/accept") == stage.to_all(
        "Ben votes yes.",
        "Vote 1 (pause): passed.",
        "The game is paused; /resume goes on.",
    )


def test_more_yes_than_no_removes_also_against_a_vote() -> None:
    vote = Vote(VoteKind.REMOVE, "", (1, 2, 3), (1, 2), (3,), 0, Seat(4), None, None, True)
    assert tally(VOTE_RULES[VoteKind.REMOVE], vote, final=False) is True


def test_a_draw_removes_no_person() -> None:
    vote = Vote(VoteKind.REMOVE, "", (1, 2), (1,), (2,), 0, Seat(4), None, None, True)
    assert tally(VOTE_RULES[VoteKind.REMOVE], vote, final=True) is False


def test_half_is_not_over_half() -> None:
    vote = Vote(VoteKind.PAUSE, "", (1, 2, 3, 4), (1, 2), (), 0, None, None, None, True)
    assert tally(VOTE_RULES[VoteKind.PAUSE], vote, final=False) is None
    assert tally(VOTE_RULES[VoteKind.PAUSE], vote, final=True) is False


# No member can vote.


def alone(stage: Stage) -> None:
    """Ayu plays with two house bots; Eva watches."""
    stage.table("manhattan", "Ayu", watching=["Eva"])
    stage.play("Ayu", "/bot random 2", "/bot random 3", "/start")


@pytest.mark.parametrize(
    ("line", "phase"), [("/pause", Phase.PAUSED), ("/masterreset !", Phase.OVER)]
)
def test_who_plays_with_bots_alone_asks_no_person(stage: Stage, line: str, phase: Phase) -> None:
    alone(stage)
    stage.play("Ayu", line)
    assert stage.room.table.phase is phase


def test_who_watches_bots_alone_asks_the_player_who_is_away_in_vain(stage: Stage) -> None:
    alone(stage)
    stage.drop("Ayu")
    assert stage.refused("Eva", "/join 2") == "no_player_here"


def test_no_person_removes_a_player_that_no_person_could_vote_on(stage: Stage) -> None:
    stage.come("Robo", bot=True)
    stage.game("journey", "Ayu", "Robo")
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS)
    assert stage.refused("Robo", "/remove Ayu") == "nobody_to_vote"


# Ballots that are not taken.


@KINDS
def test_one_vote_of_a_kind_at_a_time(stage: Stage, kind: VoteKind) -> None:
    table(stage)
    ASK[kind](stage)
    again = {
        VoteKind.UNDO: ("Ayu", "/undo"),
        VoteKind.REMOVE: ("Cem", "/remove Ben"),
        VoteKind.SEAT: ("Eva", "/join 2"),
        VoteKind.PAUSE: ("Ben", "/pause"),
        VoteKind.MASTERRESET: ("Ben", "/masterreset !"),
        VoteKind.KICK: ("Eva", "/kick Cem"),
    }[kind]
    # The person who opened the vote has no ballot in it, but may take it back.
    requested = kind in (VoteKind.UNDO, VoteKind.SEAT, VoteKind.KICK)
    assert stage.refused(*again) == ("own_vote" if requested else "vote_open")


def test_no_person_votes_twice(stage: Stage) -> None:
    table(stage)
    ask_masterreset(stage)
    assert stage.refused("Ayu", "/accept") == "already_voted"
    stage.play("Ben", "/accept")
    assert stage.refused("Ben", "/refuse") == "already_voted"


def test_no_person_votes_on_himself(stage: Stage) -> None:
    table(stage)
    ask_kick(stage)
    assert stage.refused("Ben", "/refuse 1") == "no_voter"


def test_spectators_have_no_vote(stage: Stage) -> None:
    table(stage)
    ask_pause(stage)
    assert stage.refused("Eva", "/accept") == "no_vote"
    assert stage.refused("Eva", "/accept 1") == "no_voter"


def test_there_is_nothing_to_vote_on(stage: Stage) -> None:
    table(stage)
    assert stage.refused("Ayu", "/accept") == "no_vote"


def test_with_two_votes_open_one_says_which(stage: Stage) -> None:
    table(stage)
    ask_pause(stage)
    ask_masterreset(stage)
    assert stage.refused("Ben", "/accept") == "which_vote"
    stage.play("Ben", "/accept 2")
    assert stage.room.table.votes[2].yes == (1, 2)


# Votes that are overtaken.


def test_a_game_entry_ends_the_vote_on_taking_back(stage: Stage) -> None:
    table(stage)
    ask_undo(stage)
    received = stage.say("Ben", "/go mill")
    assert received["Eva"][0] == "Vote 1 (take-back): dropped, since things have changed."


def test_the_clocks_move_ends_the_vote_on_taking_back(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 10+0"])
    ask_undo(stage)
    received = stage.wait(10)
    assert received["Ayu"][0] == "Vote 1 (take-back): dropped, since things have changed."


def test_a_free_take_back_ends_the_vote_on_an_earlier_one(stage: Stage) -> None:
    table(stage)
    stage.play("Ayu", "/dig")
    stage.play("Ben", "/go mill", "/rest")
    stage.play("Ayu", "/undo")
    received = stage.say("Ben", "/undo")
    assert received["Eva"][0] == "Vote 1 (take-back): dropped, since things have changed."
    assert not stage.room.table.votes


def test_a_pause_ends_the_vote_on_taking_back(stage: Stage) -> None:
    table(stage)
    ask_undo(stage)
    ask_pause(stage)
    stage.play("Ben", "/accept 2")
    assert not stage.room.table.votes


def test_who_is_sent_out_asks_for_no_seat_any_more(stage: Stage) -> None:
    table(stage)
    ask_seat(stage)
    stage.play("Ayu", "/ban Eva")
    assert not stage.room.table.votes


def test_the_end_of_the_game_ends_all_votes(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    ask_pause(stage)
    stage.play("Ben", "/resign !")
    assert not stage.room.table.votes


def test_votes_stand_still_while_no_person_is_there(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    tokens = {name: stage.people[name].token for name in ("Ayu", "Ben")}
    ask_pause(stage)
    stage.wait(10)
    for name in tokens:
        stage.drop(name)
    stage.wait(500)
    stage.back("Ben", tokens["Ben"])
    stage.wait(19)
    assert stage.room.table.votes
    stage.wait(1)
    assert not stage.room.table.votes


def test_votes_in_a_paused_game_stand_still_as_well(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 300+0"])
    tokens = {name: stage.people[name].token for name in ("Ayu", "Ben")}
    ask_pause(stage)
    stage.play("Ben", "/accept")
    ask_masterreset(stage)
    deadline = stage.room.seats[Seat(1)].deadline
    for name in tokens:
        stage.drop(name)
    stage.wait(500)
    stage.back("Ben", tokens["Ben"])
    assert stage.wait(59) == {}
    assert stage.room.table.votes
    assert stage.room.seats[Seat(1)].deadline == deadline, "no clock runs in a pause"


def test_the_servers_vote_names_who_has_left(stage: Stage) -> None:
    table(stage)
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS)
    vote = the_vote(stage)
    assert (vote.kind, vote.by, vote.seat, vote.voters) == (VoteKind.REMOVE, "", 1, (2, 3))
