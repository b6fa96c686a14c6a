"""What every store must keep of what goes out, as scenes."""

from dataclasses import replace

from bluebear.server.store import Append, Entry, Fenced, Outgoing, Written, outbox
from tests.server.store.store_contract import ROOM, StoreDisk

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
