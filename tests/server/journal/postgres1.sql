-- A database of layout 1 without a step, as the first program with PostgreSQL has left it (pg_dump).
CREATE SCHEMA bluebear;
CREATE FUNCTION bluebear.add_tally(what text, change bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO tally VALUES (what, change)
    ON CONFLICT (name) DO UPDATE SET number = tally.number + excluded.number
$$;
CREATE FUNCTION bluebear.put_outgoing(going text[], dues bigint[], bodies bytea[]) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO outbox SELECT * FROM unnest(going, dues, bodies)
    ON CONFLICT (id) DO UPDATE SET due = excluded.due, body = excluded.body
$$;
CREATE FUNCTION bluebear.put_people(rows jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION bluebear.put_room(given jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION bluebear.settle_outbox(mine bigint, gone text[], later text[], dues bigint[], bodies bytea[]) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    DELETE FROM outbox WHERE id = ANY (gone);
    PERFORM put_outgoing(later, dues, bodies);
    RETURN true;
END $$;
CREATE FUNCTION bluebear.touch_rooms(mine bigint, streams text[], moment bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE seat SET at = moment FROM room WHERE seat.room = room.stream
        AND room.stream = ANY (streams) AND room.at < moment;
    UPDATE room SET at = moment WHERE stream = ANY (streams) AND at < moment;
    RETURN true;
END $$;
CREATE FUNCTION bluebear.write_group(mine bigint, streams text[], seqs bigint[], actors text[], client_ids text[], bodies bytea[], rooms jsonb, people jsonb, going text[], dues bigint[], sent bytea[]) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO entry SELECT * FROM unnest(streams, seqs, actors, client_ids, bodies);
    PERFORM put_room(each) FROM jsonb_array_elements(rooms) AS each;
    IF jsonb_array_length(people) > 0 THEN PERFORM put_people(people); END IF;
    PERFORM put_outgoing(going, dues, sent);
    RETURN true;
END $$;
CREATE FUNCTION bluebear.write_snapshot(mine bigint, whose text, number bigint, packed bytea, kept integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM node WHERE id = 'engine' AND generation = mine FOR SHARE;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO snapshot VALUES (whose, number, packed)
        ON CONFLICT (stream, seq) DO UPDATE SET body = excluded.body;
    DELETE FROM snapshot WHERE stream = whose AND seq NOT IN
        (SELECT seq FROM snapshot WHERE stream = whose ORDER BY seq DESC LIMIT kept);
    RETURN true;
END $$;
CREATE TABLE bluebear.entry (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    body bytea NOT NULL
);
CREATE TABLE bluebear.invite (
    hash text NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE bluebear.layout (
    version integer NOT NULL
);
CREATE TABLE bluebear.node (
    id text NOT NULL,
    generation bigint NOT NULL
);
CREATE TABLE bluebear.outbox (
    id text NOT NULL COLLATE pg_catalog."C",
    due bigint NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE bluebear.person (
    id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    name text NOT NULL,
    key text NOT NULL,
    human boolean NOT NULL,
    tokens text[] NOT NULL,
    used bigint NOT NULL,
    kept boolean NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE bluebear.room (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    body bytea NOT NULL,
    deadline bigint,
    listed boolean NOT NULL,
    game text NOT NULL,
    phase text NOT NULL,
    free bigint NOT NULL,
    at bigint NOT NULL,
    people text[] NOT NULL,
    invites text[] NOT NULL,
    resting boolean NOT NULL
);
CREATE TABLE bluebear.seat (
    person text NOT NULL COLLATE pg_catalog."C",
    resting boolean NOT NULL,
    at bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE bluebear.snapshot (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE bluebear.tally (
    name text NOT NULL,
    number bigint NOT NULL
);
CREATE TABLE bluebear.token (
    hash text NOT NULL,
    person text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO bluebear.entry VALUES ('person:p-ayu', 1, 'server', '', '\x96a6736572766572a091a640677565737480cd03e8a0');
INSERT INTO bluebear.entry VALUES ('r1', 1, 'p:ayu', 'say-1', '\x96a5703a617975a57361792d3191a42f6e657781a1619201a2c3a4cd03e9a26431');
INSERT INTO bluebear.entry VALUES ('r1', 2, 'p:ayu', 'say-2', '\x96a5703a617975a57361792d3291a568656c6c6f80cd03eaa26432');
INSERT INTO bluebear.invite VALUES ('h-1', 'r1');
INSERT INTO bluebear.layout VALUES (1);
INSERT INTO bluebear.node VALUES ('engine', 1);
INSERT INTO bluebear.outbox VALUES ('o-1', 50, '\x6f7574');
INSERT INTO bluebear.person VALUES ('p-ayu', 1, 'Ayu', 'ayu', true, '{t-ayu}', 1000, false, '\x');
INSERT INTO bluebear.room VALUES ('r1', 2, '\x626f64792032', 2000, true, 'tokai', 'open', 3, 1000, '{p-ayu,p-ben}', '{h-1}', true);
INSERT INTO bluebear.seat VALUES ('p-ayu', true, 1000, 'r1');
INSERT INTO bluebear.seat VALUES ('p-ben', true, 1000, 'r1');
INSERT INTO bluebear.snapshot VALUES ('r1', 1, '\x736e6170');
INSERT INTO bluebear.tally VALUES ('people', 1);
INSERT INTO bluebear.tally VALUES ('rooms', 1);
INSERT INTO bluebear.tally VALUES ('listed.open', 1);
INSERT INTO bluebear.token VALUES ('t-ayu', 'p-ayu');
ALTER TABLE ONLY bluebear.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (stream, seq);
ALTER TABLE ONLY bluebear.invite
    ADD CONSTRAINT invite_pkey PRIMARY KEY (hash, room);
ALTER TABLE ONLY bluebear.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bluebear.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bluebear.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);
ALTER TABLE ONLY bluebear.room
    ADD CONSTRAINT room_pkey PRIMARY KEY (stream);
ALTER TABLE ONLY bluebear.seat
    ADD CONSTRAINT seat_pkey PRIMARY KEY (person, resting, at, room);
ALTER TABLE ONLY bluebear.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (stream, seq);
ALTER TABLE ONLY bluebear.tally
    ADD CONSTRAINT tally_pkey PRIMARY KEY (name);
ALTER TABLE ONLY bluebear.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (hash);
CREATE UNIQUE INDEX entry_said ON bluebear.entry USING btree (actor, client_id) WHERE (client_id <> ''::text);
CREATE INDEX invite_of_room ON bluebear.invite USING btree (room);
CREATE INDEX outbox_due ON bluebear.outbox USING btree (due, id);
CREATE UNIQUE INDEX person_key ON bluebear.person USING btree (key) WHERE (key <> ''::text);
CREATE INDEX room_due ON bluebear.room USING btree (deadline, stream) WHERE (deadline IS NOT NULL);
CREATE INDEX room_listed ON bluebear.room USING btree (at DESC, stream) WHERE listed;
CREATE INDEX room_of_game ON bluebear.room USING btree (game, at DESC, stream) WHERE listed;
CREATE INDEX room_playing ON bluebear.room USING btree (at DESC, stream) WHERE (listed AND (NOT resting));
CREATE INDEX seat_of_room ON bluebear.seat USING btree (room);
CREATE INDEX token_of_person ON bluebear.token USING btree (person);
