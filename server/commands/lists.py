"""The speaker's lists of others: `/mute`, `/friends`, `/watch`, `/block`, all used alike."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.commands.acts import Act, KeepOnList, Tell
from bluebear.server.commands.command import Argument, Arguments, Command, anywhere
from bluebear.server.commands.needs import Wanted
from bluebear.server.commands.scene import Scene
from bluebear.server.limits import LIST_MOST
from bluebear.server.people.lists import Kind, Other
from bluebear.server.people.names import name_key
from bluebear.server.sentences import say

_WHAT: Final = Argument(
    "what",
    "choice",
    optional=True,
    choices=(
        Choice("add", ("追加",)),
        Choice("delete", ("削除",), ("remove",)),
        Choice("list", ("一覧",)),
    ),
)
_WHOM: Final = Argument("name", "name", optional=True)
_NAMES: Final = {
    Kind.MUTE: ("ミュート",),
    Kind.FRIENDS: ("友だち", "友達"),
    Kind.WATCH: ("見守り",),
    Kind.BLOCK: ("ブロック",),
}


def _needs(kind: Kind, given: Arguments) -> Wanted:
    name = given.get("name", "")
    if given.get("what", "list") == "add" and name:
        return Wanted(person=name, lists=kind)
    return Wanted(lists=kind)


def _use(scene: Scene, kind: Kind, given: Arguments) -> Act:
    what = given.get("what", "list")
    if what == "list":
        return _shown(scene, kind)
    if "name" not in given:
        raise NotUnderstood("command_missing", command=kind.value, argument="name")
    if what == "delete":
        return KeepOnList(kind, _listed(scene, kind, given["name"]), on=False)
    found = scene.known.person
    if found is None:
        raise NotAllowed("no_such_person", given=given["name"], candidates=scene.known.near)
    other = Other(*found)
    if other.id == scene.speaker.person:
        raise NotAllowed("list_self")
    mine = scene.known.lists
    if len(mine.of(kind)) >= LIST_MOST and not mine.has(kind, other.id):
        raise NotAllowed("list_full", most=LIST_MOST)
    return KeepOnList(kind, other, on=True)


def _listed(scene: Scene, kind: Kind, name: str) -> Other:
    mine = scene.known.lists.of(kind)
    for other in mine:
        if name_key(other.name) == name_key(name):
            return other
    candidates = tuple(other.name for other in mine)
    raise NotAllowed("not_on_list", given=name, candidates=candidates)


def _shown(scene: Scene, kind: Kind) -> Tell:
    lang, others = scene.speaker.lang, scene.known.lists.of(kind)
    if not others:
        return Tell(kind, say("answer.list_empty", lang, command=f"/{kind} add"))
    online = {each.person: each.name for each in scene.known.company}
    lines = [
        say("answer.list_online", lang, name=online[each.id]) if each.id in online else each.name
        for each in others
    ]
    return Tell(kind, "\n".join(lines))


def _command(kind: Kind) -> Command:
    return Command(
        kind.value,
        anywhere(),
        lambda scene, given: _use(scene, kind, given),
        (_WHAT, _WHOM),
        _NAMES[kind],
        needs=lambda scene, given: _needs(kind, given),
        offers=Wanted(online=True),
        own=True,
    )


COMMANDS: Final = tuple(map(_command, Kind))
