"""Towards the clients: sockets, handshakes, sessions, rates, who is connected.

Knows no room's state: lines go to `bluebear.server.rooms` by a call, frames come back for a
member. Start reading at `reception.py`.
"""
