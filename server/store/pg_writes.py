"""The statements that write to PostgreSQL: each is whole in itself, a commit of its own.

Every one checks the generation of who sends it, under a lock for which the next generation waits,
and answers whether that still holds. The parts of one statement all see what was there before it
and run in any order, unless one asks for what another gives: what goes and comes never overlaps.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

from typing import Final

from bluebear.server.store.pg_fence import FENCE

# An entry goes in where its predecessor is and itself is not. What is not returned was refused,
# why is looked up then. The predecessor is asked for one by one: it is never worth a hash of all.
_STORED: Final = f"""
WITH {FENCE},
stored AS (
    INSERT INTO entry (stream, seq, actor, client_id, body)
    SELECT given.stream, given.seq, given.actor, given.client_id, given.body
    FROM fence, unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::bytea[])
        AS given(stream, seq, actor, client_id, body)
    WHERE given.seq = 1 OR (
        SELECT true FROM entry AS last
        WHERE last.stream = given.stream AND last.seq = given.seq - 1)
    ON CONFLICT DO NOTHING RETURNING stream, seq)"""

ENTRIES: Final = f"{_STORED} SELECT stream, seq FROM stored"
"""Store entries without rows; gives which of them are stored."""

_ROOM: Final = "seq, body, deadline, listed, game, phase, free, at, people, invites, resting"
_PERSON: Final = "seq, name, key, human, tokens, used, kept, body"


def _replaced(columns: str) -> str:
    return ", ".join(f"{each} = excluded.{each}" for each in columns.split(", "))


ENTRIES_AND_ROWS: Final = f"""{_STORED},
rooms AS (
    SELECT given.* FROM stored JOIN jsonb_to_recordset($8::jsonb) AS given(
        stream text, seq bigint, body bytea, deadline bigint, listed boolean, game text, phase text,
        free bigint, at bigint, people text[], invites text[], resting boolean) USING (stream)),
rooms_before AS (SELECT room.stream, room.listed, room.phase FROM rooms JOIN room USING (stream)),
put_rooms AS (
    INSERT INTO room (stream, {_ROOM}) SELECT stream, {_ROOM} FROM rooms
    ON CONFLICT (stream) DO UPDATE SET {_replaced(_ROOM)}),
unseated AS (
    DELETE FROM seat USING rooms WHERE seat.room = rooms.stream AND NOT (
        seat.person = ANY (rooms.people) AND seat.resting = rooms.resting
        AND seat.at = rooms.at)),
seated AS (
    INSERT INTO seat (person, resting, at, room)
    SELECT DISTINCT each, resting, at, stream FROM rooms, unnest(people) AS each
    ON CONFLICT DO NOTHING),
uninvited AS (
    DELETE FROM invite USING rooms
    WHERE invite.room = rooms.stream AND NOT invite.hash = ANY (rooms.invites)),
invited AS (
    INSERT INTO invite (hash, room)
    SELECT DISTINCT each, stream FROM rooms, unnest(invites) AS each ON CONFLICT DO NOTHING),
people AS (
    SELECT given.* FROM stored JOIN jsonb_to_recordset($9::jsonb) AS given(
        stream text, id text, seq bigint, name text, key text, human boolean, tokens text[],
        used bigint, kept boolean, body bytea) USING (stream)),
people_before AS (SELECT person.id FROM people JOIN person USING (id)),
-- Whose name somebody else takes goes first.
gone AS (
    DELETE FROM person USING stored JOIN unnest($10::text[], $11::text[]) AS given(stream, id)
        USING (stream)
    WHERE person.id = given.id RETURNING person.id),
put_people AS (
    INSERT INTO person (id, {_PERSON}) SELECT id, {_PERSON} FROM people
    WHERE (SELECT count(*) FROM gone) >= 0
    ON CONFLICT (id) DO UPDATE SET {_replaced(_PERSON)}),
untold AS (
    DELETE FROM token WHERE person IN (SELECT id FROM gone) OR EXISTS (
        SELECT FROM people WHERE token.person = people.id AND NOT token.hash = ANY (people.tokens))
    RETURNING hash),
told AS (
    INSERT INTO token (hash, person)
    SELECT DISTINCT each, id FROM people, unnest(tokens) AS each
    WHERE (SELECT count(*) FROM untold) >= 0
        AND NOT EXISTS (SELECT FROM token WHERE token.hash = each AND token.person = people.id)),
going AS (
    INSERT INTO outbox (id, due, body)
    SELECT id, due, body FROM stored
        JOIN unnest($12::text[], $13::text[], $14::bigint[], $15::bytea[])
            AS given(stream, id, due, body) USING (stream)
    ON CONFLICT (id) DO UPDATE SET due = excluded.due, body = excluded.body, sender = ''),
changes(name, number) AS (
    SELECT 'rooms', 1 FROM rooms UNION ALL SELECT 'rooms', -1 FROM rooms_before
    UNION ALL SELECT 'listed.' || phase, 1 FROM rooms WHERE listed
    UNION ALL SELECT 'listed.' || phase, -1 FROM rooms_before WHERE listed
    UNION ALL SELECT 'people', 1 FROM people UNION ALL SELECT 'people', -1 FROM people_before
    UNION ALL SELECT 'people', -1 FROM gone),
-- In one order everywhere, or two groups would wait for each other.
tallied AS (
    INSERT INTO tally (name, number)
    SELECT name, sum(number) FROM changes GROUP BY name HAVING sum(number) <> 0 ORDER BY name
    ON CONFLICT (name) DO UPDATE SET number = tally.number + excluded.number)
SELECT stream, seq FROM stored WHERE coalesce((
    -- Raises where one does not follow what is there.
    SELECT put_ratings(jsonb_agg(given.each ORDER BY given.number)) FROM stored
        JOIN jsonb_array_elements($16::jsonb) WITH ORDINALITY AS given(each, number)
            ON given.each->>'stream' = stored.stream HAVING count(*) > 0), true)"""
"""Store entries and what becomes true with each of them; gives which of them are stored."""

SNAPSHOT: Final = f"""
WITH {FENCE},
head AS (SELECT coalesce(max(seq), 0) AS seq FROM entry WHERE stream = $3),
kept AS (
    SELECT seq FROM (SELECT seq FROM snapshot WHERE stream = $3 UNION SELECT $4) AS every
    ORDER BY seq DESC LIMIT $6),
put AS (
    INSERT INTO snapshot (stream, seq, body) SELECT $3, $4, $5 FROM fence, head
    WHERE $4 BETWEEN 1 AND head.seq AND $4 IN (SELECT seq FROM kept)
    ON CONFLICT (stream, seq) DO UPDATE SET body = excluded.body RETURNING seq),
cut AS (
    DELETE FROM snapshot WHERE stream = $3 AND seq NOT IN (SELECT seq FROM kept)
        AND EXISTS (SELECT FROM put))
SELECT EXISTS (SELECT FROM fence) AS is_mine, head.seq AS head FROM head"""

TOUCH: Final = f"""
WITH {FENCE},
touched AS (
    UPDATE room SET at = $4 FROM fence WHERE stream = ANY ($3::text[]) AND at < $4
    RETURNING stream),
seats AS (UPDATE seat SET at = $4 FROM touched WHERE seat.room = touched.stream)
SELECT EXISTS (SELECT FROM fence)"""

SETTLE: Final = f"""
WITH {FENCE},
gone AS (DELETE FROM outbox USING fence WHERE id = ANY ($3::text[])),
later AS (
    INSERT INTO outbox (id, due, body)
    SELECT given.* FROM fence, unnest($4::text[], $5::bigint[], $6::bytea[]) AS given
    ON CONFLICT (id) DO UPDATE SET due = excluded.due, body = excluded.body, sender = '')
SELECT EXISTS (SELECT FROM fence)"""

OUTBOX: Final = f"""
WITH {FENCE},
own AS (
    SELECT id FROM outbox WHERE due <= $3 AND (sender IN ('', $1) OR NOT EXISTS (
        SELECT FROM node WHERE node.id = outbox.sender AND state <> 'dead'))
    ORDER BY due, id LIMIT $4 FOR UPDATE SKIP LOCKED),
taken AS (
    UPDATE outbox SET sender = $1 FROM fence WHERE sender <> $1 AND id IN (SELECT id FROM own))
SELECT outbox.id, due, body FROM fence, outbox JOIN own USING (id) ORDER BY due, id"""
