"""How a journal lies in PostgreSQL, and the steps by which the database of a release gets there.

A step only adds: tables, columns with a default, indexes. So programs of this release and of the
one before write one database while nodes are replaced one by one; what only the older one needs
goes a release later. `LAYOUT` changes when a program must not be let in any more.
"""

from typing import Final

from bluebear.server.store import pg_ratings

LAYOUT: Final = 2
"""The number of the layout of the tables below; a newer one is not opened."""

OLDEST: Final = 2
"""The oldest layout that is opened. Lower numbers are from before 0.1.0."""

SCHEMA: Final = "bluebear"

ALONE: Final = "engine"
"""The row in `node` of a server that has the whole database to itself."""

OWNER_LOCK: Final = 0x626C7565
"""The advisory lock of who has the database open, shared by nodes: a courtesy, the generation is
the proof.
"""

_TABLES: Final = """
CREATE TABLE layout (version integer NOT NULL, steps integer NOT NULL);
INSERT INTO layout VALUES (2, 0);
CREATE TABLE node (
    id text PRIMARY KEY, generation bigint NOT NULL, name text NOT NULL DEFAULT '',
    role text NOT NULL DEFAULT '', address text NOT NULL DEFAULT '',
    version text NOT NULL DEFAULT '', state text NOT NULL DEFAULT 'alive',
    -- Which of the servers this is that have had the database to themselves, one after another.
    life text NOT NULL DEFAULT '');
INSERT INTO node VALUES ('engine', 0);
CREATE UNIQUE INDEX node_name ON node (name) WHERE state <> 'dead' AND name <> '';
CREATE SEQUENCE node_number;
-- What is gone after a crash of the database is said again within a moment.
CREATE UNLOGGED TABLE beat (
    node text PRIMARY KEY, at timestamptz NOT NULL, since timestamptz NOT NULL)
    WITH (fillfactor = 50);
CREATE UNLOGGED TABLE attending (
    person text COLLATE "C" NOT NULL, node text NOT NULL, PRIMARY KEY (person, node));
CREATE INDEX attending_at ON attending (node);
-- `carried` is what an owner hands along with a room that is not in the journal.
CREATE TABLE owner (
    room text COLLATE "C" PRIMARY KEY, node text NOT NULL, epoch bigint NOT NULL,
    carried bytea NOT NULL DEFAULT '');
CREATE INDEX owner_node ON owner (node) WHERE node <> '';
CREATE UNLOGGED TABLE reserved (key text COLLATE "C" PRIMARY KEY, node text NOT NULL);
CREATE INDEX reserved_by ON reserved (node);

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
CREATE TABLE outbox (
    id text COLLATE "C" PRIMARY KEY, due bigint NOT NULL, body bytea NOT NULL,
    sender text NOT NULL DEFAULT '');
CREATE INDEX outbox_due ON outbox (due, id);
"""

TABLES: Final = _TABLES + pg_ratings.TABLES

STEPS: Final[tuple[str, ...]] = ()
"""What has been added to the tables since, in order; a database counts how many it has had."""
