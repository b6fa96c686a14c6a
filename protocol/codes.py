"""The stable codes: why a message was refused, and why a connection was closed.

Programs act on codes; people read the sentence beside them. The meaning of a released
code never changes. To add one, add one line.
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
    HELLO_FIRST = "hello_first", "Something else came before `hello`."
    ENTRY_PASSWORD = "entry_password", "Newcomers say `password` in their hello; it is missing."
    WRONG_ENTRY_PASSWORD = "wrong_entry_password", "The `password` of the hello is another one."
    BUSY = "busy", "Too many lines of yours, or of the room, are waiting. Send it again later."
    TOO_MUCH = "too_much", "More of this at once than one person or address may do; see `retry_ms`."
    INTERNAL = "internal", "The server has a bug; it is logged, and nothing was changed."
    MOVED = "moved", "The room lives at another address; the sentence names it."
    NOT_SAVED = "not_saved", "The journal could not be written; nothing was changed."

    # The line.
    UNKNOWN_COMMAND = "unknown_command", "No command has this name; `candidates` has the nearest."
    AMBIGUOUS_COMMAND = "ambiguous_command", "Several commands begin like this: see `candidates`."
    WHOLE_WORD = "whole_word", "This command has to be spelt out."
    EMPTY_LINE = "empty_line", "There is nothing in the line."
    BAD_LINE = "bad_line", "This is not a canonical line of the game."
    AMBIGUOUS = "ambiguous", "Several values of an argument begin like this: see `candidates`."
    AMBIGUOUS_MOVE = "ambiguous_move", "Several moves fit: `candidates` has their lines."
    MISSING_ARGUMENT = "missing_argument", "The move needs one more argument."
    COMMAND_MISSING = "command_missing", "The command needs one more argument."
    BAD_ARGUMENT = "bad_argument", "An argument of a move is not of the kind or range wanted."
    BAD_WORD = "bad_word", "An argument of a command is not of the kind or range wanted."
    EXTRA_ARGUMENT = "extra_argument", "The line is complete before its last words."
    TOO_MANY = "too_many", "A list in the line is longer than allowed."
    TOO_MANY_WORDS = "too_many_words", "The line has more words than any line that means something."
    STANDS_TWICE = "stands_twice", "A list in the line has the same item twice."
    BAD_VALUE = "bad_value", "The option cannot have this value."
    BAD_PASSWORD = "bad_password", "The new password is longer than allowed."
    BAD_SEED = "bad_seed", "The seed is not of the length wanted, or not hexadecimal."
    NO_SUCH_GAME = "no_such_game", "The server has no game of this name."
    NO_SUCH_OPTION = "no_such_option", "The game has no option of this name."
    NO_SUCH_SEAT = "no_such_seat", "The room has no seat of this number."
    NO_SUCH_BOT = "no_such_bot", "The game has no house bot of this name."
    NO_SUCH_PERSON = "no_such_person", "Nobody of this name can be reached from here."
    NO_SUCH_PLAYER = "no_such_player", "Nobody of this name has a seat in the room."
    NO_SUCH_PARAGRAPH = "no_such_paragraph", "The rules have no paragraph of this number."
    NO_SUCH_AREA = "no_such_area", "The table has no area of this name."
    NO_SUCH_QUERY = "no_such_query", "The game has no question of this name."
    NO_SUCH_INVITE = "no_such_invite", "The room has no live invite like this."
    NOBODY_HERE = "nobody_here", "Nobody of this name is in the room."
    NOT_HERE = "not_here", "The person is known to the room, but not in it now."
    WHICH_SEAT = "which_seat", "Several seats could be meant; `candidates` has the lines."
    WHICH_VOTE = "which_vote", "Several questions wait for your answer; `candidates` has the lines."

    # Permissions and phases.
    NOT_PERMITTED = "not_permitted", "Your role does not allow this command."
    NOT_NOW = "not_now", "The command exists, but not in the present phase."
    NOT_IN_ROOM = "not_in_room", "You are not in this room, or in none."
    NOT_SEATED = "not_seated", "Only persons with a seat may do this."
    NOT_YOUR_TURN = "not_your_turn", "Another seat is to move."
    GAME_OVER = "game_over", "The game has ended; nobody has anything to decide."
    NOT_PLAYING = "not_playing", "No game is being played in the room."
    YELL_PRIVATE = "yell_private", "A private room is not told to the lobby."
    NOBODY_TO_NUDGE = "nobody_to_nudge", "Nobody else who could be rung for is to move."
    NUDGED_GONE = "nudged_gone", "The player who is to move is not in the room."
    NOWHERE_TO_GO = "nowhere_to_go", "The person is in no other room that you may know of."
    PAUSED = "paused", "The game is paused; it goes on with /resume."
    TOO_MANY_WISHES = "too_many_wishes", "You have as many wishes as you may."
    NO_WISH = "no_wish", "You have no such wish."
    NO_OFFER = "no_offer", "No game is offered to you."
    NO_SUCH_TABLE = "no_such_table", "The game is not for so many people."
    LIST_SELF = "list_self", "One's lists are of others."
    LIST_FULL = "list_full", "The list has as many people as it may."
    NOT_ON_LIST = "not_on_list", "The person is not on that list; `candidates` has those who are."
    NOT_WANTED = "not_wanted", "The person does not want that from you."
    WATCHERS_QUIET = "watchers_quiet", "Spectators may not talk during this game."
    ONE_AT_A_TIME = "one_at_a_time", "Only the last of several moves in one line may use chance."
    RASH = "rash", "Legal, but hardly meant; `candidates` has the line that confirms it."
    STALE = "stale", "The version in `at` is older than the last change that concerns your seat."
    NOTHING_TO_UNDO = "nothing_to_undo", "There is no move of yours that could be taken back."
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back", "This turn has nothing like that to take back."
    NO_VOTE = "no_vote", "No such vote is open."
    NO_VOTER = "no_voter", "You are not among the voters of this vote."
    OWN_VOTE = "own_vote", "You have opened this vote; the others decide it."
    VOTE_OPEN = "vote_open", "A vote of this kind is open already."
    NOBODY_TO_VOTE = "nobody_to_vote", "The vote needs voters, and nobody is there to vote."
    TOO_SOON = "too_soon", "The player still has time to move; see `retry_ms`."
    NOBODY_WAITS = "nobody_waits", "The player is not to move, so no player waits for them."
    CLOCK_DECIDES = "clock_decides", "With a clock nobody is voted on: it plays when time is up."
    ALREADY_VOTED = "already_voted", "Your ballot in this vote is cast already."

    # Rooms and seats.
    ROOM_UNKNOWN = "room_unknown", "No room that you may know of has this name."
    ROOM_FULL = "room_full", "The room takes nobody more."
    GAME_RUNNING = "game_running", "The game is running, and no seat of it can be had."
    WRONG_SEAT_COUNT = "wrong_seat_count", "Too few or too many sit for the game to start."
    ALREADY_READY = "already_ready", "Your seat has pressed start already."
    NOT_ALL_READY = "not_all_ready", "Some players have not pressed start yet."
    HOST_BEGINS = "host_begins", "All have pressed start; only the host begins the game."
    NO_PLAYER_HERE = "no_player_here", "No player is in the room who could give you a seat."
    HOST_TAKES_SEAT = "host_takes_seat", "Only bots play; only the host may take over a seat."
    PASSWORD_WANTED = "password_wanted", "The room has a password, and none was given."
    WRONG_PASSWORD = "wrong_password", "The password is wrong."
    PASSWORD_WAIT = "password_wait", "Too many wrong passwords; this one was not looked at."
    GUESSED_TOO_OFTEN = "guessed_too_often", "Too many unknown rooms tried; wait before the next."
    NO_WATCHING = "no_watching", "The room takes no spectators now."
    TOO_MANY_ROOMS_AT_ONCE = "too_many_rooms_at_once", "The connection is in too many rooms."
    NO_RECORD = "no_record", "The room has no record before its game begins."
    OPTION_PINNED = "option_pinned", "The server's host has fixed this option for everybody."
    NOT_OFFERED = "not_offered", "No new rooms of this game are made; `candidates` has the games."
    NO_REPLAY = "no_replay", "No game is being stepped through: name one by its id."
    FORK_RUNNING = "fork_running", "The game is not over; only a finished one can be forked."
    FORK_OVER = "fork_over", "After this move the game is over; nothing can go on from there."
    FORK_OPTIONS = "fork_options", "A fork keeps the options of the game that it goes on from."
    IN_LESSON = "in_lesson", "The command is for real games, and this room is a lesson."
    NO_LESSON = "no_lesson", "There is no such lesson, or none is on here."
    LESSON_LINE = "lesson_line", "This step of the lesson wants another line, or is only read."
    PEEK_RATED = "peek_rated", "In a rated game nobody may look into a hand."
    PEEK_SEATED = "peek_seated", "Who plays may not look into another hand."
    NO_PEEK = "no_peek", "This person may not look into your hand anyway."
    HAS_PEEKED = "has_peeked", "Who has looked into a hand of this game takes no seat in it."
    HINTS_OFF = "hints_off", "The option `hints` is off."
    HINTS_RATED = "hints_rated", "In a rated game there are no hints."
    HINTS_USED = "hints_used", "Your seat has had all hints that the option `hints` allows a game."
    NO_HINTS = "no_hints", "The server knows nothing about thinking in this game."
    ANALYSIS_BUSY = "analysis_busy", "Too many games are being analysed; ask again later."
    ANALYSIS_FAILED = "analysis_failed", "The analysis could not be made, or was broken off."
    NO_SUCH_MOVE = "no_such_move", "The game has no move of this number."
    NO_SUCH_RECORD = "no_such_record", "No game that you may know of has this id."
    ALREADY_SEATED = "already_seated", "You have a seat in this room already."
    SEAT_TAKEN = "seat_taken", "The seat belongs to somebody else."
    NO_BOT_THERE = "no_bot_there", "No seat that could be meant is played by a house bot."
    NO_PLAYER_THERE = "no_player_there", "A house bot plays this seat already."
    NOT_STOOD_IN = "not_stood_in", "No house bot stands in for the owner of this seat."
    PLAYERS_DECIDE = "players_decide", "A player of a running game; its players have to agree."
    NOT_THE_HOST = "not_the_host", "This cannot be done to the host of the room."
    NOT_BANNED = "not_banned", "The person is not barred from the room."
    NO_HOOKS = "no_hooks", "The server sends no notices anywhere."
    HOOK_BAD = "hook_bad", "This is no address that notices could be sent to."
    HOOK_HOST = "hook_host", "The operator has not allowed notices to this host."
    ON_VACATION = "on_vacation", "You are on vacation already."
    NOT_ON_VACATION = "not_on_vacation", "There is no vacation that could end."
    TOO_MANY_DAYS = "too_many_days", "More days off than are left of the year."
    TOO_MANY_ROOMS = "too_many_rooms", "You host as many open rooms as anybody may."
    TOO_MANY_GAMES = "too_many_games", "You have as many unfinished games as anybody may."
    TOO_MANY_INVITES = "too_many_invites", "The room has as many live invites as it may."
    TOO_MANY_PEOPLE = "too_many_people", "The room's list of admitted or barred people is full."
    RULES_CHANGED = "rules_changed", "The server has other rules than the game was played by."
    VERSION_GAP = "version_gap", "The game's rules version is not playable on this server."

    # Who you are.
    UNAUTHORIZED = "unauthorized", "The token is unknown, expired or not for this."
    TOKEN_REPLACED = "token_replaced", "The token was replaced: somebody came in with the next one."
    GUEST_SEATED = "guest_seated", "A guest with a seat in a game; see the sentence for its rooms."
    ACCOUNT_PASSWORD = "account_password", "Say the line again with the password at its end."
    SHORT_PASSWORD = "short_password", "The password of an account has to be longer."
    WRONG_LOGIN = "wrong_login", "No account has this name and this password."
    LOGIN_FIRST = "login_first", "A password is changed by who has said the one there is: log in."
    REGISTER_FIRST = "register_first", "Only who has registered may do this."
    TOO_MANY_BOTS = "too_many_bots", "You have as many bots as anybody may."
    NO_SUCH_TOKEN = "no_such_token", "You have no bot of this name."
    TOKEN_SCOPE = "token_scope", "The bot's token does not allow this."
    NOT_FOR_BOTS = "not_for_bots", "No bot's token allows this."
    DISK_LOW = "disk_low", "The disk is nearly full: no new guests, no rooms; who is here plays on."
    LOCKDOWN = "lockdown", "No new guests come in and no rooms are made; who is here plays on."
    BANISHED = "banished", "An operator keeps you out of this server for a time."
    SILENCED = "silenced", "An operator keeps you from talking for a time; you may play."
    NOT_LOCKED = "not_locked", "There is no lockdown that could end."
    NOT_SILENCED = "not_silenced", "The person is not silenced."
    NOT_BANISHED = "not_banished", "The person is not banished."
    OPERATOR_SPARED = "operator_spared", "Operators cannot be silenced or banished."
    BACKUP_FAILED = "backup_failed", "The journal could not be copied; the log has the reason."
    RESTARTING = "restarting", "The server restarts soon and makes no more rooms; see `retry_ms`."
    FULL_SERVER = "full_server", "The server takes no more connections."
    NAME_TAKEN = (
        "name_taken",
        "Another person has this name, or one like it; `candidates` has a free one.",
    )
    NAME_BAD = "name_bad", "This cannot be a name; `candidates` has a free one."


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
