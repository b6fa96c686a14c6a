"""The course of the turns: section 4 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.terms import Town
from bluebear.rules.tokugawa.rules.events import Completed, Passed, TurnBegan
from bluebear.rules.tokugawa.rules.moves import Dismiss, Pass, Reroll, Stand
from bluebear.rules.tokugawa.rules.state import Phase, State, Work
from tests.rules.tokugawa.worked import SUN, A, B, after, dice, done, lines, position, why


@pytest.mark.rule("tokugawa 4.1")
@pytest.mark.parametrize(("number", "actions"), [(1, 2), (2, 3), (3, 3), (90, 3)])
def test_the_first_turns_are_shorter(number: int, actions: int) -> None:
    """Turn 1 has one action, turn 2 two, all others three."""
    table = position("A nara archer", "B uraga archer", number=number, max_rounds=0)
    made = done(table, A, "/pass")
    round_ = (number + 2) // 2
    assert (made.state.turn, made.state.number, made.state.actions) == (B, number + 1, actions)
    assert made.events[-1] == TurnBegan(B, round_, actions)


@pytest.mark.rule("tokugawa 4.2", "tokugawa 10.8")
def test_the_players_castles_are_completed_when_the_turn_begins() -> None:
    built = ["A kyoto new-castle", "B edo new-castle", "B sendai new-castle wall"]
    table = position("A nara archer", built=built)
    made = done(table, A, "/pass")
    assert [event for event in made.events if isinstance(event, Completed)] == [
        Completed(B, Town("edo")),
        Completed(B, Town("sendai")),
    ]
    works = {town: site.castle for town, site in made.state.sites.items()}
    assert works == {"kyoto": Work.NEW, "edo": Work.DONE, "sendai": Work.DONE}


@pytest.mark.rule("tokugawa 4.3")
def test_the_same_action_may_be_repeated_as_often_as_there_are_actions() -> None:
    table = position("A nara archer")
    table = after(table, "/levy archer himeji", "/levy archer osaka", "/levy archer hagi")
    assert (table.turn, table.actions) == (A, 0)
    no = why(table, A, "/levy archer kokura")
    assert (no.code, no.rule) == ("no_action_left", "4.3")
    for line in ("/tax kinki", "/move nara ueno land", "/build garden nara", "/forge nara"):
        assert why(table, A, line).code == "no_action_left"


@pytest.mark.rule("tokugawa 4.3")
def test_passing_gives_up_what_is_left() -> None:
    made = done(position("A nara archer", actions=2), A, "/pass")
    assert made.events[0] == Passed(A, 2)
    assert made.state.turn == B


@pytest.mark.rule("tokugawa 4.3")
def test_ending_a_turn_without_actions_gives_up_nothing() -> None:
    made = done(position("A nara archer", actions=0), A, "/pass")
    assert [type(event) for event in made.events] == [TurnBegan]


@pytest.mark.rule("tokugawa 4.4")
@pytest.mark.parametrize("number", [1, 2, 7])
@pytest.mark.parametrize("line", ["/build castle kyoto", "/build wall kyoto", "/dismiss nara"])
def test_free_things_take_no_action_even_in_the_first_turns(number: int, line: str) -> None:
    table = position("A nara archer", number=number, actions=1)
    assert after(table, line).actions == 1


@pytest.mark.rule("tokugawa 4.4", "tokugawa 4.5")
def test_free_things_are_possible_when_no_action_is_left() -> None:
    table = position("A nara archer", actions=0, koku=(6, 15))
    assert lines(table, A) == [
        "/build castle kyoto",
        "/build castle nara",
        "/build wall kyoto",
        "/build wall nara",
        "/dismiss nara",
        "/pass",
    ]


@pytest.mark.rule("tokugawa 4.5")
def test_a_turn_ends_by_itself_when_nothing_is_left_to_do() -> None:
    """Without actions, samurai and two koku for a wall only passing would remain."""
    table = position("A nara archer", actions=0, koku=(1, 15))
    made = done(table, A, "/dismiss nara")
    assert made.state.turn == B
    assert made.events[-1] == TurnBegan(B, 3, 3)


@pytest.mark.rule("tokugawa 4.5")
def test_a_turn_with_actions_left_does_not_end_by_itself() -> None:
    table = after(position("A nara archer", actions=1, koku=(0, 15)), "/dismiss nara")
    assert (table.turn, table.actions) == (A, 1)
    assert lines(table, A) == ["/pass", "/tax kinki"]


def phases(table: State, chance: Chance, *typed: str) -> list[tuple[Phase, Seat | None]]:
    """The decision and its seat after each of these lines."""
    seen = []
    for line in typed:
        assert table.decides is not None
        table = done(table, table.decides, line, chance).state
        seen.append((table.phase, table.decides))
    return seen


@pytest.mark.rule("tokugawa 4.5")
def test_the_decisions_of_an_attack_come_one_after_the_other() -> None:
    table = position("A nara sword", "B osaka spear", "B tokushima archer")
    chance = dice(6, 1, 1, 5, 5, 1, 1, 2, 2, weather=SUN)
    typed = ("/support kyoto", "/support tokushima", "/reroll", "/reroll")
    assert phases(table, chance, "/attack nara osaka road", *typed) == [
        (Phase.ATTACK_SUPPORT, A),
        (Phase.DEFENCE_SUPPORT, B),
        (Phase.ATTACK_ROLL, A),
        (Phase.DEFENCE_ROLL, B),
        # 10 + 2 against 4 + 1, and the beaten has nowhere to go.
        (Phase.ACTING, A),
    ]


@pytest.mark.rule("tokugawa 4.5")
def test_a_retreat_with_a_choice_is_the_last_decision_of_an_attack() -> None:
    table = position("A tsuruga archer", "B kitanosho spear")
    chance = dice(6, 6, 1, 1, weather=SUN)
    assert phases(table, chance, "/attack tsuruga kitanosho road", "/retreat kano") == [
        (Phase.RETREATING, B),
        (Phase.ACTING, A),
    ]


@pytest.mark.rule("tokugawa 4.5")
@pytest.mark.parametrize(
    ("line", "code", "rule"),
    [
        ("/pass", "support_now", "7.4"),
        ("/reroll", "support_now", "7.4"),
        ("/retreat kano", "support_now", "7.4"),
    ],
)
def test_what_is_not_requested_is_refused(line: str, code: str, rule: str) -> None:
    table = position("A tsuruga archer", "A hikone archer", "B kitanosho spear")
    table = done(table, A, "/attack tsuruga kitanosho road", dice(weather=SUN)).state
    no = why(table, A, line)
    assert (no.code, no.rule) == (code, rule)


@pytest.mark.rule("tokugawa 4.5")
def test_only_who_decides_may_move() -> None:
    table = position("A nara archer", "B uraga archer")
    no = why(table, B, "/pass")
    assert (no.code, no.rule, no.params) == ("not_your_turn", "4.5", {"other": A})
    assert lines(table, B) == []


@pytest.mark.rule("tokugawa 5.6")
@pytest.mark.parametrize(("actions", "koku", "rash"), [(1, 1, False), (0, 9, True), (3, 0, True)])
def test_a_dismissal_is_rash_while_no_person_can_be_levied_instead(
    actions: int, koku: int, rash: bool
) -> None:
    table = position("A nara archer", actions=actions, koku=(koku, 15))
    assert GAME.is_rash(table, A, Dismiss(Town("nara"))) == rash
    assert not GAME.is_rash(table, A, Pass())


@pytest.mark.rule("tokugawa 8.1")
@pytest.mark.parametrize(("reply", "rash"), [((6, 6), True), ((1, 1), False)])
def test_throwing_again_is_rash_for_a_defender_who_holds(
    reply: tuple[int, int], rash: bool
) -> None:
    table = position("A nara archer", "B osaka spear", "B tokushima archer", koku=(1, 15))
    chance = dice(3, 3, *reply, weather=SUN)
    table = done(table, A, "/attack nara osaka road", chance).state
    table = done(table, B, "/support tokushima", chance).state
    assert table.phase is Phase.DEFENCE_ROLL
    assert GAME.is_rash(table, B, Reroll()) == rash
    assert not GAME.is_rash(table, B, Stand())


@pytest.mark.parametrize(
    ("line", "phase", "fallback"),
    [
        ("", Phase.ACTING, "/pass"),
        ("/build ship osaka", Phase.SAILING, "/stay"),
        ("/attack osaka tokushima road", Phase.ATTACK_SUPPORT, "/support done"),
    ],
)
def test_when_time_is_up_as_little_as_possible_happens(
    line: str, phase: Phase, fallback: str
) -> None:
    table = position("A osaka archer", "B tokushima archer", "A matsuyama archer")
    if line:
        table = done(table, A, line, dice(6, 6, 6, weather=SUN)).state
    assert table.phase is phase
    assert GAME.grammar.format(GAME.fallback(table, A)) == fallback
