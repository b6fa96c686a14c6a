"""Hypothesis strategies: any tree, any message."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bluebear.protocol.limits import INTEGER_MAX
from bluebear.protocol.messages import (
    Answer,
    Ask,
    Bye,
    ClientMessage,
    Done,
    Error,
    Game,
    Hello,
    Lobby,
    Logged,
    Moves,
    Note,
    Presence,
    Room,
    RoomNumber,
    Say,
    ServerMessage,
    Sync,
    Think,
    Update,
    Version,
    Wanted,
    Welcome,
)
from bluebear.rules.core.merge_patch import Branch, Tree

numbers = st.integers(-INTEGER_MAX, INTEGER_MAX)
counts = st.integers(0, INTEGER_MAX)
texts = st.text(max_size=20)
leaves: SearchStrategy[Tree] = st.none() | st.booleans() | numbers | texts


def _with_objects(inner: SearchStrategy[Tree]) -> SearchStrategy[Tree]:
    return st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)


trees: SearchStrategy[Tree] = st.recursive(leaves, _with_objects, max_leaves=8)
branches: SearchStrategy[Branch] = st.dictionaries(texts, trees, max_size=3)

_say_ids = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=32)
_rooms = st.integers(1, INTEGER_MAX).map(RoomNumber)
_versions = counts.map(Version)
_sums = st.integers(0, 2**32 - 1)
_lines = st.lists(texts, max_size=3).map(tuple)
_langs = st.sampled_from(("ja", "en"))
_query_names = st.sampled_from(("game", "catalogue", "complete", "history", "record"))


client_messages: SearchStrategy[ClientMessage] = st.one_of(
    st.builds(
        Hello,
        protocol=st.tuples(counts, counts),
        name=st.none() | texts,
        token=st.none() | texts,
        langs=st.lists(_langs, min_size=1, max_size=2).map(tuple),
        wants=st.frozensets(st.sampled_from(("events", "text", "moves"))),
        bot=st.booleans(),
        agent=texts,
    ),
    st.builds(Say, id=_say_ids, text=texts, room=st.none() | _rooms, at=st.none() | _versions),
    st.builds(
        Ask,
        id=_say_ids,
        room=st.none() | _rooms,
        what=_query_names,
        args=st.dictionaries(texts, texts | numbers, max_size=3),
    ),
    st.builds(Sync, room=_rooms),
)

updates = st.builds(
    Update,
    room=_rooms,
    version=_versions,
    patch=st.none() | branches,
    own=st.none() | branches,
    done=st.none() | _say_ids,
    sum=st.none() | _sums,
    events=st.none() | st.lists(branches, max_size=3).map(tuple),
    text=st.none() | _lines,
)

server_messages: SearchStrategy[ServerMessage] = st.one_of(
    updates,
    st.builds(
        Welcome,
        protocol=counts,
        person=texts,
        name=texts,
        token=texts,
        lang=_langs,
        server=texts,
        now=counts,
    ),
    st.builds(
        Room,
        room=_rooms,
        id=texts,
        game=texts,
        hash=texts,
        version=_versions,
        view=branches,
        sum=_sums,
        eyes=st.lists(counts, max_size=3).map(tuple),
        log=st.lists(st.builds(Logged, version=_versions, at=counts, text=texts), max_size=3).map(
            tuple
        ),
    ),
    st.builds(Presence, room=_rooms, here=_lines, away=_lines),
    st.builds(Moves, room=_rooms, version=_versions, seat=counts, lines=_lines),
    st.builds(Game, key=texts, hash=texts, body=branches),
    st.builds(Answer, id=_say_ids, what=_query_names, body=branches),
    st.builds(Note, room=st.none() | _rooms, code=texts, text=texts),
    st.builds(Done, id=_say_ids, room=st.none() | _rooms, version=st.none() | _versions),
    st.builds(
        Error,
        code=texts,
        text=texts,
        id=st.none() | _say_ids,
        rule=st.none() | texts,
        candidates=_lines,
    ),
    st.builds(Lobby, version=_versions, full=st.booleans(), patch=branches),
    st.builds(Bye, why=texts, text=texts, retry_ms=st.none() | counts),
    st.builds(Wanted, room=texts, seat=counts, strategy=texts, ticket=texts),
    st.builds(Think, number=counts, room=texts, seat=counts, view=branches, lines=_lines),
)
