"""The arena: the pairings, what is counted, exact results of a match with fixed playouts."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path

import pytest
from msgspec import json
from msgspec.structs import replace

from bluebear.clients.bots.search.__main__ import main
from bluebear.clients.bots.search.arena import Played, match, pairings, play
from bluebear.clients.bots.search.budget import Playouts, Seconds
from bluebear.clients.bots.search.contestants import NoContestantError, contestant
from bluebear.clients.bots.search.statistics import different, figures, is_settled, skills, wilson
from tests.rules.game_files import GAMES

MANHATTAN = GAMES["manhattan"]


def played(seed: int, turn: int, scores: tuple[int, ...]) -> Played:
    positions = tuple(1 + sum(other > score for other in scores) for score in scores)
    effort = dict.fromkeys(("decisions", "considered", "changed", "playouts", "longest"), 0.0)
    return Played(seed, turn, positions, scores, (effort,) * len(scores))


def test_every_seed_is_played_once_for_each_route_round_the_table() -> None:
    assert [(each.seed, each.seats) for each in pairings(3, 6, first_seed=8)] == [
        (8, (0, 1, 2)),
        (8, (1, 2, 0)),
        (8, (2, 0, 1)),
        (9, (0, 1, 2)),
        (9, (1, 2, 0)),
        (9, (2, 0, 1)),
    ]


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("search@0.05", Seconds(0.05)),
        ("search@200p", Playouts(200)),
        ("search", Seconds(0.2)),
        ("club", None),
    ],
)
def test_a_contestant_is_a_name_and_a_budget(text: str, budget: object) -> None:
    assert contestant(text, MANHATTAN).budget == budget


@pytest.mark.parametrize("text", ["", "deepblue", "search@", "search@x", "search@1p1"])
def test_anybody_else_is_refused(text: str) -> None:
    with pytest.raises(NoContestantError, match="greedy"):
        contestant(text, MANHATTAN)


def test_a_match_with_fixed_playouts_has_this_result_everywhere(tmp_path: Path) -> None:
    players = [contestant(text, MANHATTAN) for text in ("search@300p", "greedy")]
    options = MANHATTAN.info.complete({})
    ran = list(match(MANHATTAN, players, 1, options=options, stored=tmp_path / "games"))
    assert [each.scores for each in ran] == [(57, 56)]


def test_a_budget_is_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine shortens no search: here a look at the clock takes a millisecond."""
    ticks = count()
    monkeypatch.setattr(time, "process_time", lambda: next(ticks) / 1000)
    players = [contestant(text, MANHATTAN) for text in ("search@0.05", "greedy")]
    pairing = next(pairings(2, 1, first_seed=3))
    effort = play(MANHATTAN, players, pairing, MANHATTAN.info.complete({})).efforts[0]
    assert 10 < effort["playouts"] / effort["considered"] < 50
    assert 0.05 <= effort["longest"] < 0.06


def test_a_match_continues_where_it_stood(tmp_path: Path) -> None:
    players = [contestant(text, MANHATTAN) for text in ("greedy", "random")]
    stored_data = tmp_path / "games"
    options = MANHATTAN.info.complete({})
    first = list(match(MANHATTAN, players, 2, options=options, stored=stored_data))
    before = stored_data.read_text(encoding="utf-8")
    again = list(match(MANHATTAN, players, 4, options=options, stored=stored_data))
    assert [each.line() for each in again[:2]] == [each.line() for each in first]
    after = stored_data.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert len(after.splitlines()) == 4


OWNED_BOTS = '''
from bluebear.clients.sdk import Bot

class Last(Bot):
    """Says the last line, and notes how it ended."""

    def choose(self, view, lines, clock):
        assert view.state and clock.move <= 5
        return lines[-1]

    def over(self, view):
        with open("ended", "a") as file:
            print(view.seat, view.room["ending"]["places"][str(view.seat)]["place"], file=file)

class Wrong(Last):
    def choose(self, view, lines, clock):
        return "/nonsense"
'''


def owned_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a person's own bots."""
    (tmp_path / "ownbots.py").write_text(OWNED_BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_class_plays_in_the_arena_and_continues_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owned_bots(tmp_path, monkeypatch)
    arguments = ["manhattan", "greedy,ownbots:Last@5", "--games", "2", "--out", "kept"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    assert "ownbots:Last@5: 0/2" in first
    assert sorted((tmp_path / "ended").read_text(encoding="utf-8").split("\n")) == [
        "",
        "1 2",
        "2 2",
    ]
    assert main(arguments) == 0
    assert capsys.readouterr().out == first
    assert len((tmp_path / "ended").read_text(encoding="utf-8").splitlines()) == 2, "played once"


@pytest.mark.expects_log("a bot says what is none of its lines")
def test_a_class_that_fails_has_the_fallback_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owned_bots(tmp_path, monkeypatch)
    assert main(["manhattan", "greedy,ownbots:Wrong", "--games", "1", "--quiet"]) == 0
    assert "ownbots:Wrong: 0/1" in capsys.readouterr().out


def test_a_program_plays_in_the_arena(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["manhattan", "examples/bots/shelly.sh,greedy", "--games", "1", "--quiet"]) == 0
    assert "examples/bots/shelly.sh: 0/1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"), [("nowhere:Bot", "nowhere"), ("ownbots:Absent", "ownbots:Absent")]
)
def test_a_bot_that_is_not_there_is_reported(
    text: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    owned_bots(tmp_path, monkeypatch)
    assert main(["manhattan", f"greedy,{text}"]) == 2
    assert message in capsys.readouterr().err


def test_with_more_than_two_seats_positions_are_counted_as_strengths() -> None:
    games = [played(seed, 0, (9, 5, 1)) for seed in range(8)]
    first, second, third = skills(games)
    assert first.mu > second.mu > third.mu
    assert first.sigma < 8
    assert skills([]) == ()


def test_wilsons_interval() -> None:
    assert [round(end, 3) for end in wilson(0, 0)] == [0.0, 1.0]
    assert [round(end, 3) for end in wilson(27, 40)] == [0.52, 0.799]
    assert round(wilson(10, 10)[1], 9) == 1.0


def test_the_figures_count_shared_wins_and_pair_the_games_of_a_seed() -> None:
    games = [
        played(1, 0, (10, 6)),
        played(1, 1, (5, 7)),
        played(2, 0, (8, 8)),
        played(2, 1, (9, 7)),
    ]
    made = figures(games, 0)
    assert (made.games, made.wins, made.margin, made.margin_error) == (4, 2.5, 1.0, 0.0)


def test_games_of_a_seed_that_ended_equally_are_one_sample() -> None:
    """Who changes seats without anything else changing plays the same game again."""
    once = [played(seed, 0, (9, 8 + seed % 3)) for seed in range(30)]
    twice = [again for each in once for again in (each, replace(each, turn=1))]
    assert different(twice) == once
    ours, theirs = figures(once, 0), figures(twice, 0)
    assert (theirs.games, theirs.different, theirs.wins) == (60, 30, 2 * ours.wins)
    assert (theirs.low, theirs.high) == (ours.low, ours.high)
    assert "of 30 different games" in theirs.text()
    assert "different" not in ours.text()
    won = [each for each in twice if each.ranks == (1, 2)]
    assert len(won) == 20
    assert is_settled([replace(each, seed=at) for at, each in enumerate(won)], 0, 0.5, apart=0.1)
    assert not is_settled(won, 0, 0.5, apart=0.1)


def test_equal_results_of_other_seeds_are_separate_games() -> None:
    games = [played(seed, turn, (9, 8 - turn)) for seed in range(20) for turn in (0, 1)]
    assert different(games) == games
    assert [round(end, 6) for end in (figures(games, 0).low, figures(games, 0).high)] == [
        round(end, 6) for end in wilson(40, 40)
    ]


def test_a_sequence_is_settled_by_many_wins_and_not_by_few() -> None:
    won = [played(seed, 0, (2, 1)) for seed in range(40)]
    assert is_settled(won, 0, 0.5, apart=0.1)
    assert not is_settled(won[:10], 0, 0.5, apart=0.1)
    lost = [played(seed, 0, (1, 2)) for seed in range(20)]
    assert is_settled(lost, 0, 0.5, apart=0.1)


def test_the_program_prints_a_line_a_game_and_the_figures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["manhattan", "greedy,random", "--games", "2"]) == 0
    *games, greedy, other = capsys.readouterr().out.splitlines()
    assert [json.decode(line, type=Played).turn for line in games] == [0, 1]
    assert greedy.startswith("greedy: 2/2 = 100.0 %")
    assert other.startswith("random: 0/2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "greedy,random"], "there is no game 'chess': "),
        (["manhattan", "greedy,kasparov"], "'kasparov' is no player"),
        (["manhattan", "greedy"], "manhattan is for 2 to 4 players, not 1"),
    ],
)
def test_what_no_person_can_play_is_reported(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
