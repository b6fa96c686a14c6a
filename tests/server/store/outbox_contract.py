"""What every store must keep of what goes out, as scenes."""

from dataclasses import replace
from typing import NoReturn

import pytest

from bluebear.server.store import (
    Append,
    Entry,
    Fenced,
    NotSaved,
    Outgoing,
    Written,
    outbox,
    streams,
)
from tests.server.store.store_contract import OTHER, ROOM, StoreDisk, plain

_GOING = Entry(ROOM, 1, "p:ayu", "", ("/x",), {}, 50)
_SOON, _LATE = Outgoing("a-1", 100, b"\x00one"), Outgoing("a-2", 200, b"two")


class OutboxContract:
    """Subclasses give the fixture `store_disk`."""

    async def test_what_is_sent_out_is_stored_with_its_entry_until_it_is_settled(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        assert await store.append([Append(_GOING, outgoing=(_LATE, _SOON))]) == [Written(1)]
        assert await store.append([Append(_GOING, outgoing=(replace(_SOON, id="b"),))]) == [
            Fenced(1)
        ]
        await store.close()
        store = store_disk()
        assert await store.write(outbox.claim, store.writer, 99, 9) == []
        assert await store.write(outbox.claim, store.writer, 200, 9) == [_SOON, _LATE]
        assert await store.write(outbox.claim, store.writer, 200, 1) == [_SOON]
        again = replace(_LATE, due=300, body=b"again")
        await store.write(outbox.settle, ["a-1", "nothing"], [again])
        await store.close()
        store = store_disk()
        assert await store.write(outbox.claim, store.writer, 299, 9) == []
        assert await store.write(outbox.claim, store.writer, 300, 9) == [again]
        await store.close()

    async def test_a_message_that_no_column_holds_is_refused_alone(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        late = Append(_GOING, outgoing=(replace(_SOON, due=2**70),))
        other = Append(Entry(OTHER, 1, "p:ben", "", ("/x",), {}, 50), outgoing=(_LATE,))
        assert plain(await store.append([late, other])) == [NotSaved, Written(1)]
        assert not await store.read(streams.is_stored, late)
        assert await store.read(streams.is_stored, other)
        await store.close()

    async def test_what_a_bug_has_begun_is_not_read_as_stored(
        self, store_disk: StoreDisk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = store_disk()
        append = Append(_GOING, outgoing=(_SOON,))

        def broken(*given: object) -> NoReturn:
            raise KeyError("a bug")

        with monkeypatch.context() as patch:
            patch.setattr(outbox, "put", broken)
            with pytest.raises(KeyError):
                await store.append([append])
        assert not await store.read(streams.is_stored, append)
        assert await store.append([append]) == [Written(1)]
        assert await store.read(streams.is_stored, append)
        await store.close()
