"""Rooms in memory: their lines, members, updates and timers. Knows no socket and no session.

Start reading at `room_actor.py`, which handles the lines of one room; `active_room.py` is what a
room shows, `registry.py` has all rooms of this process.
"""
