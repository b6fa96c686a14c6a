"""Who may use which command when? The table as the specification draws it, against every scene."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from msgspec.structs import replace

from bluebear.rules.core.grammar import Grammar, Query, Verb
from bluebear.rules.core.refusal import Refusal
from bluebear.server.commands.command import COMMANDS, heads
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene
from bluebear.server.room.state import Phase
from tests.server.commands.fixtures import GAMES, House, opened, playing

# who: what all members of the room may, players with a seat, the host (seated or not).
# A star: with the option `host` on only the host.
TABLE: Final = """
lobby   -                        vacation notify learn
lobby   -                        help rules lang nick who listroom listfree lobby room newroom
lobby   -                        myrooms tell register login logout token tokens revoke
lobby   -                        stats top
lobby   -                        wwho whereis hook away shout
lobby   -                        mute friends watch block report wish wishes unwish
lobby   -                        accept refuse
lobby   -                        record minutes replay analyse fork
inside  open playing paused over frozen | vacation notify
inside  open playing paused over frozen | help rules lang nick who listroom listfree lobby room
inside  open playing paused over frozen | newroom myrooms tell info board look recap votes record
inside  open playing paused over frozen | register login logout token tokens revoke
inside  open playing paused over frozen | minutes replay analyse fork bots learn
inside  playing paused over      | history
inside  open playing paused      | join
seated  open playing paused over | leave
seated  open                     | seed option* start* startnosave* bot*
inside  open playing paused over frozen | stats top
inside  open playing paused over frozen | wwho whereis hook away shout
inside  open playing paused over frozen | mute friends watch block report wish
inside  open playing paused over frozen | wishes unwish accept refuse
seated  open playing             | gameyell*
seated  playing                  | nudge
host    open playing             | gameyell
seated  playing paused over      | hand
seated  playing                  | hint moves undo pause
inside  playing paused           | peek
seated  playing paused           | allowpeek
seated  playing paused           | resign masterreset remove
seated  paused                   | resume
seated  over                     | again reset
host    open                     | option start startnosave
host    open playing paused      | bot
host    playing paused           | remove
host    over                     | again reset
host    frozen                   | reset
operator open playing paused over frozen | announce lockdown silence banish
operator open playing paused over frozen | audit serverstats saveall backup
host    open playing paused over frozen | host password invite uninvite kick ban unban
"""

ARGUMENTS: Final = {
    "lang": "ja",
    "nick": "Nova",
    "listfree": "duel",
    "room": "1",
    "newroom": "duel",
    "tell": "Ben hello",
    "wish": "duel",
    "fork": "g0123456789abcdef 3",
    "peek": "Ben",
    "allowpeek": "Emi",
    "whereis": "Ben",
    "hook": "Ben",
    "shout": "hello",
    "seed": "ab" * 16,
    "remove": "Ben",
    "host": "Ben",
    "password": "swordfish",
    "uninvite": "all",
    "kick": "Ben",
    "ban": "Ben",
    "unban": "Ben",
    "announce": "hello",
    "lockdown": "on",
    "silence": "Ben",
    "banish": "Ben",
}
"""What follows a command that wants something."""

DENIED: Final = ("not_permitted", "not_now", "paused", "not_in_room")
ROLES: Final = (
    *("stranger", "spectator", "seated", "host", "seated host"),
    *("stranger operator", "spectator operator", "seated operator"),
)


def rows() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    made: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    for row in filter(None, TABLE.splitlines()):
        who, rest = row.split(maxsplit=1)
        if who == "lobby":
            made.append((who, (), tuple(rest.split()[1:])))
        else:
            phases, commands = rest.split("|")
            made.append((who, tuple(phases.split()), tuple(commands.split())))
    return made


def expected(name: str, role: str, phase: Phase | None, *, host_only: bool) -> bool:
    """What the drawn table says."""
    for who, phases, commands in rows():
        if phase is None:
            if who in ("lobby", "operator") and who in ("lobby", *role.split()):
                if name in commands:
                    return True
            continue
        # An operator may do what a host may.
        roles = {*role.split(), *(("host",) if "operator" in role else ())}
        if phase not in phases or not (who == "inside" or who in roles):
            continue
        starred = f"{name}*" in commands
        if name in commands or (starred and (not host_only or "host" in roles)):
            return True
    return False


@cache
def scenes() -> dict[tuple[str, Phase | None, bool], Scene]:
    """A scene for each role in each phase, without and with the option `host`."""
    made: dict[tuple[str, Phase | None, bool], Scene] = {}
    for host_only in (False, True):
        for phase in Phase:
            for role in ROLES[1:]:
                house = in_phase(
                    phase, host_sits="seated" in role and "host" in role, host_only=host_only
                )
                if role.startswith("stranger"):
                    continue
                name = {"spectator": "Wen", "seated": "Ben"}.get(role.split()[0], "Ayu")
                name = "Ayu" if "host" in role else name
                made[role, phase, host_only] = _as(role, house.scene(name))
    house = House()
    house.meet("Ayu", "Ben")
    for host_only in (False, True):
        for role in ("stranger", "stranger operator"):
            made[role, None, host_only] = _as(role, house.scene("Ayu"))
    return made


def _as(role: str, scene: Scene) -> Scene:
    return replace(scene, speaker=replace(scene.speaker, operator="operator" in role))


def in_phase(phase: Phase, *, host_sits: bool, host_only: bool) -> House:
    """A room in a phase; Ben and Cho sit, Wen watches, Ayu is the host."""
    house = opened("duel")
    house.enter("Ben", "Cho", "Wen")
    house.script("Ben: /join 1", "Cho: /join 2")
    if host_sits:
        house.script("Ayu: /join 3")
    if host_only:
        house.script("Ben: /option host on")
    if phase is Phase.OPEN:
        return house
    house.script("Ayu: /start")
    rest = ("Cho", "Ayu") if host_sits else ("Cho",)
    if phase is Phase.PAUSED:
        house.script("Ben: /pause", "Cho: /accept")
    elif phase is Phase.OVER:
        house.script("Ben: /masterreset !", *(f"{name}: /accept" for name in rest))
    elif phase is Phase.FROZEN:
        house.act("server", "@freeze")
    return house


CASES: Final = [
    (name, role, phase, host_only)
    for name in COMMANDS
    for role in ROLES
    for phase in ((None,) if role.startswith("stranger") else tuple(Phase))
    for host_only in (False, True)
]


def test_a_command_is_refused_exactly_where_the_table_says_no() -> None:
    wrong = []
    for name, role, phase, host_only in CASES:
        scene = scenes()[role, phase, host_only]
        denied = code_of(scene, f"/{name} {ARGUMENTS.get(name, '')}") in DENIED
        if denied == expected(name, role, phase, host_only=host_only):
            wrong.append((name, role, phase, host_only))
    assert wrong == []


def code_of(scene: Scene, text: str) -> str:
    try:
        resolve(scene, text)
    except Refusal as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("phase", Phase)
def test_the_scenes_are_what_they_are_called(phase: Phase) -> None:
    inside = [role for role in ROLES if not role.startswith("stranger")]
    results = {role: scenes()[role, phase, False] for role in inside}
    assert {scene.phase for scene in results.values()} == {phase}
    seated = [role for role in results if results[role].seat is not None]
    assert seated == ["seated", "seated host", "seated operator"]


def test_the_drawn_table_names_every_command() -> None:
    named = {name.rstrip("*") for _, _, commands in rows() for name in commands}
    assert named == set(COMMANDS)


def test_a_command_of_the_wrong_phase_tells_the_right_one() -> None:
    house = opened()
    house.script("Ayu: /join")
    assert house.say("Ayu", "/undo").text == "/undo goes during the game."


def test_a_command_of_the_rest_tells_whose_it_is() -> None:
    house = opened()
    house.enter("Ben", lang="ja")
    assert house.say("Ben", "/kick Ayu").text == "/退室させる を使えるのはホストだけです。"


def test_with_the_option_host_a_seated_person_is_instructed_to_ask_the_host() -> None:
    house = opened()
    house.enter("Ben")
    house.script("Ben: /join", "Ayu: /option host on")
    assert house.say("Ben", "/start").text == "/start is for the host."


def test_the_host_role_moves_on_with_its_rights() -> None:
    house = opened()
    house.enter("Ben", "Cho")
    house.script("Ayu: /host Ben")
    assert (house.say("Ayu", "/kick Cho").code, house.say("Ben", "/kick Cho").code) == (
        "not_permitted",
        "",
    )


def test_a_stranger_finds_no_command_of_a_room() -> None:
    scene = replace(opened().scene("Ayu"), room=None, game=None, here={})
    assert code_of(scene, "/start") == "not_in_room"


@pytest.mark.parametrize("key", GAMES)
def test_no_term_of_a_game_is_also_a_command(key: str) -> None:
    grammar = GAMES[key].grammar
    terms = [
        name
        for item in [*grammar.verbs.values(), *queries_of(grammar)]
        for name in (item.name, *item.names, *item.short)
    ]
    assert [term for term in terms if heads().exact(term.casefold())] == []


def queries_of(grammar: Grammar) -> list[Verb | Query]:
    return list(grammar.queries.values())


def test_no_two_commands_share_a_name() -> None:
    names = [
        name.casefold()
        for command in COMMANDS.values()
        for name in (command.name, *command.names, *command.short)
    ]
    assert sorted(names) == sorted(set(names))


def test_every_command_has_a_japanese_name_first() -> None:
    """Help shows it beside the canonical one."""
    assert [
        name for name, each in COMMANDS.items() if not each.names or each.names[0].isascii()
    ] == []


def test_a_vacated_seat_may_be_given_to_another_bot_by_the_host() -> None:
    house = playing("duel", seats=3)
    house.script("Cho: /leave !")
    assert house.say("Ayu", "/bot random").lines == ("/bot random 3",)
