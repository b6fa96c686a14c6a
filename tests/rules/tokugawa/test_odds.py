"""The chances of section 14, counted out throw by throw, and equal to those that `/odds` tells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from msgspec import to_builtins

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.texts import TextPage, permille
from bluebear.rules.core.visibility import but
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.bot.odds import TWO_DICE, from_here, moves, odds, still_open, wins
from bluebear.rules.tokugawa.data.terms import Terrain, Town, Weather
from bluebear.rules.tokugawa.rules.events import CapitalFell, CapitalHit
from bluebear.rules.tokugawa.rules.state import Approach, Battle, Phase, State
from tests.rules.scripted_chance import every_outcome
from tests.rules.tokugawa.worked import A, B, position

FACES = range(1, 7)
MODIFIERS = (0, 0, 0, -1, -1, -2)
"""The six faces of the weather die as the text tells them."""
PLAIN, FOREST, MOUNTAIN = 1, 2, 3
"""What die and weather must reach by land."""
FORTS = ("", "wall", "wall shrine", "castle", "castle wall", "castle wall shrine")
STRENGTH = {"": 0, "wall": 1, "wall shrine": 2, "castle": 2, "castle wall": 3}
STRENGTH["castle wall shrine"] = 4


def counted(needs: int, attack: int, defence: int) -> Fraction:
    """How many of all throws of the weather, the road and both sides' dice are a success."""
    outcomes = sum(
        attack + weather + owned_items >= defence + other
        for weather, die in product(MODIFIERS, FACES)
        if die + weather >= needs
        for owned_items, other in product(SUMS, SUMS)
    )
    return Fraction(outcomes, 6 * 6 * 36 * 36)


SUMS = [a + b for a, b in product(FACES, FACES)]


def besieged(fort: str, *, hit: bool = False) -> State:
    """A swordsman by a plain road and one by a forest road before Yedo with these buildings."""
    return position(
        "A uraga sword",
        "A odawara sword",
        built=[f"B edo {fort}"] if fort else [],
        hit=[B] if hit else [],
    )


def shown_odds(table: State, origin: str) -> Fraction:
    """What the game says of an attack on Yedo."""
    return odds(table, Town(origin), Town("edo"), Approach.ROAD).wins


def decimals(chance: Fraction) -> str:
    """Rounded to three digits behind the point."""
    return f"0.{round(chance * 1000):03}"


@pytest.mark.rule("tokugawa 14.1")
@pytest.mark.parametrize("hit", [False, True])
@pytest.mark.parametrize("fort", FORTS)
def test_every_fortress_counted_out(fort: str, hit: bool) -> None:
    table = besieged(fort, hit=hit)
    defence = (1 if hit else 2) + STRENGTH[fort]
    assert shown_odds(table, "uraga") == counted(PLAIN, 2, defence)
    assert shown_odds(table, "odawara") == counted(FOREST, 2, defence)


@pytest.mark.rule("tokugawa 14.1")
@pytest.mark.parametrize(
    ("fort", "plain", "forest"),
    [
        ("", "0.439", "0.358"),
        ("wall", "0.342", "0.279"),
        ("wall shrine", "0.252", "0.206"),
        ("castle", "0.252", "0.206"),
        ("castle wall", "0.175", "0.143"),
        ("castle wall shrine", "0.112", "0.092"),
    ],
)
def test_the_figures_of_14_1(fort: str, plain: str, forest: str) -> None:
    table = besieged(fort)
    assert decimals(shown_odds(table, "uraga")) == plain
    assert decimals(shown_odds(table, "odawara")) == forest


@pytest.mark.rule("tokugawa 14.2")
@pytest.mark.parametrize(
    ("fort", "plain", "forest"), [("", "0.235", "0.157"), ("castle wall", "0.044", "0.030")]
)
def test_the_figures_of_14_2_two_hits_in_one_turn(fort: str, plain: str, forest: str) -> None:
    fresh, damaged = besieged(fort), besieged(fort, hit=True)
    assert decimals(shown_odds(fresh, "uraga") * shown_odds(damaged, "uraga")) == plain
    assert decimals(shown_odds(fresh, "odawara") * shown_odds(damaged, "odawara")) == forest


@pytest.mark.rule("tokugawa 14.1", "tokugawa 9.1")
def test_every_throw_of_a_real_attack_adds_up_to_the_odds() -> None:
    table = position("A uraga sword", built=["B edo castle wall"], koku=(1, 0), banks={"kanto": 19})
    line = GAME.grammar.parse("/attack uraga edo road")

    def is_hit(chance: Chance) -> bool:
        outcome = GAME.play(table, A, line, chance)
        return any(isinstance(event, CapitalHit | CapitalFell) for event in outcome.events)

    chance = sum((weight for weight, hit in every_outcome(is_hit) if hit), Fraction(0))
    assert chance == shown_odds(table, "uraga")
    assert decimals(chance) == "0.175"


@pytest.mark.rule("tokugawa 6.7", "tokugawa 6.4")
@pytest.mark.parametrize(
    ("terrain", "chance"),
    [
        (Terrain.PLAIN, Fraction(8, 9)),
        (Terrain.FOREST, Fraction(13, 18)),
        (Terrain.MOUNTAIN, Fraction(5, 9)),
        (Terrain.SEA, Fraction(23, 36)),
    ],
)
def test_how_often_a_movement_succeeds(terrain: Terrain, chance: Fraction) -> None:
    assert moves(terrain) == chance


@pytest.mark.rule("tokugawa 8.1", "tokugawa 9.1")
def test_successes_out_of_1296_without_rerolls() -> None:
    registered = (70, 126, 206, 310, 435, 575, 721, 861, 986, 1090, 1170, 1226, 1261)
    assert [wins(ahead) for ahead in range(-6, 7)] == [Fraction(each, 1296) for each in registered]


def _best(ahead: int, allies: int, guards: int) -> Fraction:
    """What the attacker can expect who throws again whenever that is better, throw by throw."""

    @cache
    def p_of_holding(needed: int, left: int) -> Fraction:
        """How likely the defender's dice end above a number."""
        throws = [Fraction(1) if dice > needed else _again(needed, left) for dice in SUMS]
        return sum(throws, Fraction(0)) / 36

    def _again(needed: int, left: int) -> Fraction:
        return p_of_holding(needed, left - 1) if left else Fraction(0)

    def attack(left: int) -> Fraction:
        again = attack(left - 1) if left else Fraction(0)
        stand = {dice: 1 - p_of_holding(dice + ahead, guards) for dice in set(SUMS)}
        return sum((max(stand[dice], again) for dice in SUMS), Fraction(0)) / 36

    return attack(allies)


@pytest.mark.rule("tokugawa 8.1")
@pytest.mark.parametrize("ahead", [-4, -1, 0, 2])
@pytest.mark.parametrize(("allies", "guards"), [(0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (3, 0)])
def test_rerolls_counted_out(ahead: int, allies: int, guards: int) -> None:
    assert wins(ahead, allies, guards) == _best(ahead, allies, guards)


def thrown(
    dice: tuple[int, int], reply: tuple[int, ...] = (), *, guards: int, rerolls: int
) -> State:
    """A sword attacks a sword in the sun; these dice of attacker and defender lie there."""
    battle = Battle(
        Town("nara"),
        Town("ueno"),
        Approach.ROAD,
        Weather.SUN,
        guards=(Town("nagoya"),) * guards,
        dice=dice,
        reply=reply,
        rerolls=rerolls,
    )
    phase = Phase.DEFENCE_ROLL if reply else Phase.ATTACK_ROLL
    return but(position("A nara sword", "B ueno sword"), phase=phase, battle=battle)


@pytest.mark.rule("tokugawa 8.1", "tokugawa 13.3")
@pytest.mark.parametrize("guards", [0, 1])
@pytest.mark.parametrize("dice", [(1, 1), (3, 4), (6, 6)])
def test_the_attackers_dice_count_with_and_without_a_new_throw(
    dice: tuple[int, int], guards: int
) -> None:
    fails = Fraction(sum(reply <= sum(dice) for reply in SUMS), 36) ** (guards + 1)
    last = thrown(dice, guards=guards, rerolls=0)
    assert still_open(last) is None
    assert from_here(last) == fails
    table = thrown(dice, guards=guards, rerolls=2)
    assert still_open(table) == (fails, _best(0, 1, guards))
    assert from_here(table) == max(fails, _best(0, 1, guards))


@pytest.mark.rule("tokugawa 8.1", "tokugawa 9.1", "tokugawa 13.3")
@pytest.mark.parametrize(("reply", "stands"), [((3, 3), 1), ((3, 4), 1), ((4, 4), 0)])
def test_the_defenders_dice_count_with_and_without_a_new_throw(
    reply: tuple[int, int], stands: int
) -> None:
    last = thrown((3, 4), reply, guards=2, rerolls=0)
    assert still_open(last) is None
    assert from_here(last) == stands
    table = thrown((3, 4), reply, guards=2, rerolls=2)
    again = Fraction(sum(dice <= 7 for dice in SUMS), 36) ** 2
    assert still_open(table) == (Fraction(stands), again)
    assert from_here(table) == min(stands, again)


def _neighbours_of_strength() -> Iterator[tuple[int, int, int]]:
    yield from product(range(-6, 6), range(3), range(3))


@pytest.mark.rule("tokugawa 8.1")
def test_strength_and_rerolls_never_hurt_who_has_them() -> None:
    for ahead, allies, guards in _neighbours_of_strength():
        here = wins(ahead, allies, guards)
        assert wins(ahead + 1, allies, guards) >= here
        assert wins(ahead, allies + 1, guards) >= here
        assert wins(ahead, allies, guards + 1) <= here


def test_two_dice() -> None:
    assert {total: SUMS.count(total) for total in range(2, 13)} == TWO_DICE


@pytest.mark.rule("tokugawa 13.3")
def test_the_figures_of_odds_are_those_of_the_terms() -> None:
    table = besieged("castle")
    arguments = {"origin": Town("uraga"), "town": Town("edo"), "sea": False}
    texts = GAME.text(table, frozenset((A,)), TextPage())
    reply = to_builtins(texts.figures["odds"](texts, **arguments), enc_hook=permille)
    chance = odds(table, Town("uraga"), Town("edo"), Approach.ROAD)
    assert (reply["wins"], reply["arrives"]) == (round(1000 * chance.wins), 889)
    assert reply["helped"][0][0] == reply["wins"]
    assert [case["weather"] for case in reply["cases"]] == [c.weather.value for c in chance.cases]
