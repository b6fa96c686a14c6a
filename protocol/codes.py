"""The stable codes: why something was refused, and why a connection was closed.

Programs act on codes; people read the sentence beside them. A code, once released,
keeps its meaning. To add one, add one line.
"""

from enum import IntEnum, StrEnum
from typing import Self


class Code(StrEnum):
    """Why a message or a line was refused (field `code` of `error`).

    >>> Code("stale").meaning
    'The version in `at` is older than the last change that concerns your seat.'
    """

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    # The frame.
    BAD_MESSAGE = "bad_message", "The frame is readable, but its type or its fields are not known."
    WRONG_PROTOCOL = "wrong_protocol", "Client and server have no protocol version in common."
    TOO_FAST = "too_fast", "Too many messages; this one was not judged. Wait, then send it again."
    TOO_LONG = "too_long", "The line or one of its arguments is longer than allowed."
    BUSY = "busy", "Too many lines of yours, or of the room, are waiting. Send it again later."
    INTERNAL = "internal", "The server has a bug; it is logged, and nothing was changed."
    NOT_SAVED = "not_saved", "The journal could not be written; nothing was changed."

    # The line.
    UNKNOWN_COMMAND = "unknown_command", "No command has this name; `candidates` has the nearest."
    AMBIGUOUS = "ambiguous", "Several commands or values begin like this: see `candidates`."
    MISSING_ARGUMENT = "missing_argument", "The command needs one more argument."
    BAD_ARGUMENT = "bad_argument", "An argument is not of the kind or range that is wanted."
    EXTRA_ARGUMENT = "extra_argument", "The command takes fewer arguments."
    NO_SUCH_OPTION = "no_such_option", "The game has no option of this name."
    NO_SUCH_SEAT = "no_such_seat", "The room has no seat of this number."
    NO_SUCH_PERSON = "no_such_person", "Nobody of this name can be reached from here."

    # What may be done now, and by whom.
    NOT_PERMITTED = "not_permitted", "Your role does not allow this command."
    NOT_NOW = "not_now", "The command exists, but not in the present phase."
    NOT_IN_ROOM = "not_in_room", "You are not in this room, or in none."
    NOT_SEATED = "not_seated", "Only persons with a seat may do this."
    NOT_YOUR_TURN = "not_your_turn", "Another seat is to move."
    ILLEGAL = "illegal", "The rules forbid the move; `rule` names the paragraph."
    RASH = "rash", "Legal, but hardly meant; `candidates` has the line that confirms it."
    STALE = "stale", "The version in `at` is older than the last change that concerns your seat."
    NOTHING_TO_UNDO = "nothing_to_undo", "There is no move of yours that could be taken back."
    NO_VOTE = "no_vote", "No vote is open."
    ALREADY_VOTED = "already_voted", "Your ballot in this vote is cast already."

    # Rooms and seats.
    ROOM_UNKNOWN = "room_unknown", "No room that you may know of has this name."
    ROOM_FULL = "room_full", "The room takes nobody more."
    ROOM_PRIVATE = "room_private", "The room can be entered with an invite only."
    WRONG_PASSWORD = "wrong_password", "The password is wrong."
    ALREADY_SEATED = "already_seated", "You have a seat in this room already."
    SEAT_TAKEN = "seat_taken", "The seat belongs to somebody else."
    VERSION_GAP = "version_gap", "The game's rules version is not playable on this server."

    # Who you are.
    UNAUTHORIZED = "unauthorized", "The token is unknown, expired or not for this."
    NAME_TAKEN = "name_taken", "Somebody else has this name, or one that looks like it."
    NAME_BAD = "name_bad", "This cannot be a name."


class Close(IntEnum):
    """Why the server closed the connection (WebSocket close code).

    >>> Close.TOO_SLOW.value, Close(4001).name
    (4008, 'REPLACED')
    """

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    UNREADABLE = 1007, "A frame was not UTF-8, not JSON or not msgpack. Mend the client."
    POLICY = 1008, "A frame was built to do harm, or warnings were not heeded. Mend the client."
    TOO_BIG = 1009, "A frame was longer than allowed. Mend the client."
    REPLACED = 4001, "The same person connected once too often. Do not come back by yourself."
    BYE = 4002, "The server said `bye` and why. Come back after `retry_ms`, if it is given."
    HELLO_TIMEOUT = 4003, "No `hello` came in time. Come back and say hello at once."
    TOO_SLOW = 4008, "Frames were not read in time. Come back with the token and go on."
