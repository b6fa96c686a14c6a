"""All rows of a kind, as scenes compare them with what they expect; queries for `Store.read`."""

from collections import Counter

from sqlalchemy import Connection

from bluebear.server.store import Outgoing, StreamId, Summary, rooms, schema

_ALL = 1_000_000


def all_rooms(connection: Connection) -> list[Summary]:
    """All rooms' rows, by stream."""
    stored = schema.page(connection, schema.ROOM, (), _ALL)
    result = rooms.of_streams(connection, [StreamId(row["stream"]) for row in stored])
    return sorted(result, key=lambda row: row.stream)


def counts(connection: Connection) -> dict[str, int]:
    """How many rows there are: "rooms", "people", and "listed.PHASE" for each phase."""
    every = all_rooms(connection)
    people = schema.page(connection, schema.PERSON, (), _ALL)
    phases = Counter(f"listed.{row.phase}" for row in every if row.listed)
    return {**phases, "rooms": len(every), "people": len(people)}


def outgoing(connection: Connection) -> list[Outgoing]:
    """What waits to be sent, soonest first."""
    stored = schema.page(connection, schema.OUTBOX, (), _ALL)
    waiting = [Outgoing(row["id"], row["due"], row["body"]) for row in stored]
    return sorted(waiting, key=lambda each: (each.due, each.id))
