"""The house bot `greedy`."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.bot.evaluation import _JUDGED, worths
from bluebear.rules.tokugawa.data.terms import Side
from bluebear.rules.tokugawa.rules.moves import Pass, Stand, Stay
from bluebear.rules.tokugawa.rules.state import Phase, State
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import RAIN, SUN, A, B, after, done, position


def choice(table: State) -> str:
    """What greedy plays from what the seat that decides sees."""
    seat = table.decides
    assert seat is not None
    view = GAME.seen(table, frozenset({seat}))
    move = GAME.bots["greedy"](view, seat, GAME.plain(table, seat), ScriptedChance(0))
    return GAME.grammar.format(move)


@pytest.mark.rule("tokugawa 14.3")
def test_it_walls_its_capital_and_builds_a_castle_there_before_anything_else() -> None:
    table = position("A nara archer", "B ueno sword", actions=1, number=1)
    first = choice(table)
    table = done(table, A, first).state
    second = choice(table)
    assert {first, second} == {"/build wall kyoto", "/build castle kyoto"}
    assert done(table, A, second).state.actions == 1


@pytest.mark.rule("tokugawa 14.2")
def test_it_attacks_a_bare_capital_from_a_town_beside_it() -> None:
    table = position("A uraga sword", built=["A kyoto wall castle"])
    assert choice(table) == "/attack uraga edo road"


@pytest.mark.rule("tokugawa 14.2")
def test_it_levies_a_swordsman_beside_a_bare_capital() -> None:
    table = position("A nara archer", built=["A kyoto wall castle"], taxed=["kinki"])
    weapon, town = choice(table).split()[1:]
    assert weapon == "sword"
    assert town in ("kamakura", "takasaki", "uraga", "utsunomiya")


def test_it_finishes_a_capital_that_was_hit_rather_than_a_contract() -> None:
    table = position(
        "A uraga sword",
        "A osaka archer",
        "A nara archer",
        built=["A kyoto wall castle", "B edo wall castle"],
        cards={Side.WEST: "W1"},
        hit=[B],
    )
    assert choice(table) == "/attack uraga edo road"


def test_it_completes_a_contract() -> None:
    table = position(
        "A osaka archer",
        "A nara archer",
        built=["A kyoto wall castle", "B edo wall castle"],
        cards={Side.WEST: "W1"},
        taxed=["kinki"],
    )
    assert choice(table).endswith(" himeji")


def worth(table: State, line: str) -> int:
    """What greedy thinks of a line of the first player."""
    moves = GAME.plain(table, A)
    worths = GAME.thinker.worths(table, A, moves)
    return dict(zip(map(GAME.grammar.format, moves), worths, strict=True))[line]


def test_every_kind_of_move_is_judged() -> None:
    """To do nothing is worth nothing; a kind that was forgotten is an error."""
    assert set(_JUDGED) == {verb.move for verb in GAME.grammar.verbs.values()}
    assert worths(position(), A, [Stand(), Stay(), Pass()]) == [0, 0, 0]
    with pytest.raises(KeyError):
        worths(position(), A, [Move()])


def test_a_ship_is_worth_more_when_a_contract_asks_for_it() -> None:
    """Three fleets are asked for, and two are there."""
    built = ["A hagi ship", "A tsuruga ship"]
    fleets, towns = (
        position("A nara archer", "A osaka archer", built=built, cards={Side.CENTRE: card})
        for card in ("C1", "C2")
    )
    assert worth(fleets, "/build ship osaka") > worth(towns, "/build ship osaka") + 50


def test_an_attack_takes_from_the_other_player_what_a_contract_promised() -> None:
    """Of five towns of Tokai road, four are the other player's."""
    theirs = [f"B {town} archer" for town in ("ueno", "nagoya", "hamamatsu", "sunpu")]
    wanted, unwanted = (
        position("A nara sword", *theirs, cards={Side.CENTRE: card}) for card in ("C3", "C2")
    )
    line = "/attack nara ueno road"
    assert worth(wanted, line) > worth(unwanted, line) + 30


@pytest.mark.rule("tokugawa 11.2", "tokugawa 11.3")
def test_it_does_not_end_a_game_that_it_would_lose() -> None:
    theirs = [f"B {town} archer" for town in ("mito", "sendai", "kubota", "morioka", "hagi")]
    table = position(
        "A osaka archer",
        "A nara archer",
        *theirs,
        built=["A kyoto wall castle", "B mito garden", "B sendai garden", "B kubota garden"],
        koku=(5, 20),
        cards={Side.WEST: "W1"},
        taken={A: ["C1", "C2"], B: ["E3", "E4"]},
        taxed=["kinki"],
    )
    assert not choice(table).endswith(" himeji")


@pytest.mark.rule("tokugawa 8.1")
@pytest.mark.parametrize(
    ("first", "second", "line"),
    [(1, 1, "/reroll"), (2, 3, "/reroll"), (5, 5, "/stand"), (6, 6, "/stand")],
)
def test_it_throws_bad_dice_again_and_keeps_good_ones(first: int, second: int, line: str) -> None:
    table = position("A nara sword", "B ueno sword")
    chance = ScriptedChance(SUN, 5, first - 1, second - 1)
    fight = done(table, A, "/attack nara ueno road", chance).state
    fight = after(fight, "/support kyoto", chance=chance)
    assert fight.phase is Phase.ATTACK_ROLL
    assert choice(fight) == line


@pytest.mark.rule("tokugawa 8.1")
def test_a_beaten_defender_throws_again_and_one_who_holds_does_not() -> None:
    table = position("A nara sword", "B ueno archer", "B nagoya archer")
    for parry, line in ((0, "/reroll"), (5, "/stand")):
        chance = ScriptedChance(RAIN, 5, 2, 2, parry, parry)
        fight = done(table, A, "/attack nara ueno road", chance).state
        fight = after(fight, "/support done", "/support nagoya", chance=chance)
        assert fight.phase is Phase.DEFENCE_ROLL
        assert choice(fight) == line


@pytest.mark.rule("tokugawa 7.4")
def test_it_calls_all_people_for_its_capital_and_no_person_who_cannot_help() -> None:
    table = position(
        "A uraga sword", "B kamakura archer", "B takasaki archer", built=["B edo wall"]
    )
    fight = done(table, A, "/attack uraga edo road", ScriptedChance(SUN, 5)).state
    assert fight.decides == B
    assert choice(fight) == "/support kamakura"
    fight = after(fight, "/support kamakura")
    assert choice(fight) == "/support takasaki"


@pytest.mark.rule("tokugawa 9.4")
def test_it_retreats_to_where_it_is_worth_most() -> None:
    table = position("A himeji sword", "B okayama archer", "B kokura archer", "B nagasaki archer")
    chance = ScriptedChance(SUN, 5, 5, 5, 0, 0)
    fight = done(table, A, "/attack himeji okayama road", chance).state
    assert fight.phase is Phase.RETREATING
    # Hiroshima is of the open contract W2, Matsue is not.
    assert {GAME.grammar.format(move) for move in GAME.legal(fight, B)} == {
        "/retreat hiroshima",
        "/retreat matsue",
    }
    assert choice(fight) == "/retreat hiroshima"


def test_it_never_dismisses_anybody() -> None:
    chance = FastChance(7)
    table = GAME.setup(GAME.info.complete({}), 2, chance).state
    while (seat := table.decides) is not None:
        view = GAME.seen(table, frozenset({seat}))
        move = GAME.bots["greedy"](view, seat, GAME.plain(table, seat), chance)
        assert not GAME.grammar.format(move).startswith("/dismiss")
        table = GAME.play(table, seat, move, chance).state


def wins(seed: int) -> bool:
    """Whether greedy beats a random player; it sits on either side in turn."""
    chance = FastChance(seed)
    table = GAME.setup(GAME.info.complete({}), 2, chance).state
    bot_seat = Seat(seed % 2 + 1)
    while (turn := table.decides) is not None:
        legal = GAME.plain(table, turn)
        if turn == bot_seat:
            view = GAME.seen(table, frozenset({turn}))
            move = GAME.bots["greedy"](view, turn, legal, chance)
        else:
            move = legal[chance.pick(len(legal))]
        table = GAME.play(table, turn, move, chance).state
    return table.winner == bot_seat


def test_it_beats_random_players_in_95_of_100_games() -> None:
    assert sum(wins(seed) for seed in range(100)) >= 95
