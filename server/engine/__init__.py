"""Live rooms: what happens to a line, who is in a room, what they are sent, what time brings.

Knows no socket and no session. Start reading at `room_actor.py`.
"""
