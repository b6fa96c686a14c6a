"""How a journal lies in PostgreSQL, and the functions there that write and read it.

Everything that one commit stores goes into one call of `write_group`: the server never holds a
transaction open, so whoever is stopped in the middle of anything holds no lock. It checks the
generation first, under a lock that the next owner waits for: what an older owner has sent later
stores nothing.
"""

from typing import Final

LAYOUT: Final = 1
"""Of the tables below; a newer one is not opened."""

SCHEMA: Final = "bluebear"

TABLES: Final = """
CREATE TABLE layout (version integer NOT NULL);
INSERT INTO layout VALUES (1);
CREATE TABLE node (id text PRIMARY KEY, generation bigint NOT NULL);
INSERT INTO node VALUES ('engine', 0);

CREATE TABLE entry (
    stream text COLLATE "C" NOT NULL, seq bigint NOT NULL, actor text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL, body bytea NOT NULL, PRIMARY KEY (stream, seq));
CREATE UNIQUE INDEX entry_said ON entry (actor, client_id) WHERE client_id <> '';
CREATE TABLE snapshot (
    stream text COLLATE "C" NOT NULL, seq bigint NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (stream, seq));

CREATE TABLE room (
    stream text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL, body bytea NOT NULL, deadline bigint,
    listed boolean NOT NULL, game text NOT NULL, phase text NOT NULL, free bigint NOT NULL,
    at bigint NOT NULL, people text[] NOT NULL, invites text[] NOT NULL, resting boolean NOT NULL);
CREATE INDEX room_listed ON room (at DESC, stream) WHERE listed;
CREATE INDEX room_of_game ON room (game, at DESC, stream) WHERE listed;
CREATE INDEX room_playing ON room (at DESC, stream) WHERE listed AND NOT resting;
CREATE INDEX room_due ON room (deadline, stream) WHERE deadline IS NOT NULL;
CREATE TABLE seat (
    person text COLLATE "C" NOT NULL, resting boolean NOT NULL, at bigint NOT NULL,
    room text COLLATE "C" NOT NULL, PRIMARY KEY (person, resting, at, room));
CREATE INDEX seat_of_room ON seat (room);
CREATE TABLE invite (hash text NOT NULL, room text COLLATE "C" NOT NULL, PRIMARY KEY (hash, room));
CREATE INDEX invite_of_room ON invite (room);

CREATE TABLE person (
    id text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL, name text NOT NULL, key text NOT NULL,
    human boolean NOT NULL, tokens text[] NOT NULL, used bigint NOT NULL, kept boolean NOT NULL,
    body bytea NOT NULL);
CREATE UNIQUE INDEX person_key ON person (key) WHERE key <> '';
CREATE TABLE token (hash text PRIMARY KEY, person text COLLATE "C" NOT NULL);
CREATE INDEX token_of_person ON token (person);
CREATE TABLE tally (name text PRIMARY KEY, number bigint NOT NULL);
CREATE TABLE outbox (id text COLLATE "C" PRIMARY KEY, due bigint NOT NULL, body bytea NOT NULL);
CREATE INDEX outbox_due ON outbox (due, id);
"""

SHAPE_TABLE: Final = "CREATE TABLE IF NOT EXISTS shape (number integer NOT NULL)"
"""One row, once keys were given (`Store.rekey`); older servers' databases have it not yet."""

FUNCTIONS: Final = """
CREATE FUNCTION add_tally(what text, change bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO tally VALUES (what, change)
    ON CONFLICT (name) DO UPDATE SET number = tally.number + excluded.number
$$;

CREATE FUNCTION put_room(given jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    old room;
    made room;
BEGIN
    SELECT * INTO old FROM room WHERE stream = given->>'stream';
    IF FOUND THEN
        DELETE FROM seat WHERE room = old.stream;
        DELETE FROM invite WHERE room = old.stream;
        DELETE FROM room WHERE stream = old.stream;
        PERFORM add_tally('rooms', -1);
        IF old.listed THEN PERFORM add_tally('listed.' || old.phase, -1); END IF;
    END IF;
    INSERT INTO room VALUES (
        given->>'stream', (given->>'seq')::bigint, decode(given->>'body', 'hex'),
        (given->>'deadline')::bigint, (given->>'listed')::boolean, given->>'game', given->>'phase',
        (given->>'free')::bigint, (given->>'at')::bigint,
        ARRAY(SELECT jsonb_array_elements_text(given->'people')),
        ARRAY(SELECT jsonb_array_elements_text(given->'invites')),
        (given->>'resting')::boolean)
    RETURNING * INTO made;
    INSERT INTO seat SELECT DISTINCT each, made.resting, made.at, made.stream
        FROM unnest(made.people) AS each;
    INSERT INTO invite SELECT DISTINCT each, made.stream FROM unnest(made.invites) AS each;
    PERFORM add_tally('rooms', 1);
    IF made.listed THEN PERFORM add_tally('listed.' || made.phase, 1); END IF;
END $$;

CREATE FUNCTION put_people(rows jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    gone bigint;
    come bigint;
BEGIN
    -- All go first: within one commit a key or a token may have gone from one to another.
    DELETE FROM token WHERE person IN (SELECT each->>'id' FROM jsonb_array_elements(rows) AS each);
    DELETE FROM person WHERE id IN (SELECT each->>'id' FROM jsonb_array_elements(rows) AS each);
    GET DIAGNOSTICS gone = ROW_COUNT;
    INSERT INTO person
        SELECT each->>'id', (each->>'seq')::bigint, each->>'name', each->>'key',
            (each->>'human')::boolean, ARRAY(SELECT jsonb_array_elements_text(each->'tokens')),
            (each->>'used')::bigint, (each->>'kept')::boolean, decode(each->>'body', 'hex')
        FROM jsonb_array_elements(rows) AS each WHERE each ? 'seq';
    GET DIAGNOSTICS come = ROW_COUNT;
    INSERT INTO token
        SELECT jsonb_array_elements_text(each->'tokens'), each->>'id'
        FROM jsonb_array_elements(rows) AS each WHERE each ? 'seq';
    PERFORM add_tally('people', come - gone);
END $$;

CREATE FUNCTION put_outgoing(going text[], dues bigint[], bodies bytea[]) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO outbox SELECT * FROM unnest(going, dues, bodies)
    ON CONFLICT (id) DO UPDATE SET due = excluded.due, body = excluded.body
$$;

CREATE FUNCTION write_group(
    mine bigint, streams text[], seqs bigint[], actors text[], client_ids text[], bodies bytea[],
    rooms jsonb, people jsonb, going text[], dues bigint[], sent bytea[]
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO entry SELECT * FROM unnest(streams, seqs, actors, client_ids, bodies);
    PERFORM put_room(each) FROM jsonb_array_elements(rooms) AS each;
    IF jsonb_array_length(people) > 0 THEN PERFORM put_people(people); END IF;
    PERFORM put_outgoing(going, dues, sent);
    RETURN true;
END $$;

CREATE FUNCTION settle_outbox(
    mine bigint, gone text[], later text[], dues bigint[], bodies bytea[]
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    DELETE FROM outbox WHERE id = ANY (gone);
    PERFORM put_outgoing(later, dues, bodies);
    RETURN true;
END $$;

CREATE FUNCTION write_snapshot(mine bigint, whose text, number bigint, packed bytea, kept integer)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO snapshot VALUES (whose, number, packed)
        ON CONFLICT (stream, seq) DO UPDATE SET body = excluded.body;
    DELETE FROM snapshot WHERE stream = whose AND seq NOT IN
        (SELECT seq FROM snapshot WHERE stream = whose ORDER BY seq DESC LIMIT kept);
    RETURN true;
END $$;

CREATE FUNCTION touch_rooms(mine bigint, streams text[], moment bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE seat SET at = moment FROM room WHERE seat.room = room.stream
        AND room.stream = ANY (streams) AND room.at < moment;
    UPDATE room SET at = moment WHERE stream = ANY (streams) AND at < moment;
    RETURN true;
END $$;
"""
