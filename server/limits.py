"""Every bound of the server, each with its reason."""

from __future__ import annotations

from typing import Final

# One connection.
HELLO_MAX_BYTES: Final = 2 * 1024
"""A message before `hello` was accepted: all it needs is a name and a token."""
FRAME_MAX_BYTES: Final = 8 * 1024
"""A message after: a line of 500 characters in UTF-8 with its envelope, and room to spare."""
KNOCKING_MAX: Final = 500
"""Connections that have asked for nothing yet: behind a proxy all of them are its own."""
KNOCKING_PER_ADDRESS: Final = 30
"""The same from one address: browsers open a few ahead of time, a family has some of them."""
NEWCOMERS_A_TURN: Final = 2
"""Handshakes and welcomes that are answered in one turn of the loop: half a millisecond."""
NEWCOMERS_A_COMMIT: Final = 4
"""People who are written down at once: players' moves wait for no more of them."""
KNOCK_SECONDS: Final = 5.0
"""How long a connection may ask for nothing."""
STALLED_SECONDS: Final = 15.0
"""A client that takes nothing of what is waiting for so long is gone, or pretends to be deaf."""
HELLO_SECONDS: Final = 5.0
"""How long a connection may stay without `hello`: a slow handshake must not hold a place."""
LINE_MAX_CHARS: Final = 500
"""One typed line: a row of chat."""
LINE_BURST: Final = 10
"""Lines at once: people click fast in dice games."""
LINES_PER_SECOND: Final = 2.0
"""Lines in the long run: about 100 a minute is what a person can mean."""
ASK_BURST: Final = 20
"""Questions at once: a page that enters a room asks for what it draws, beside what is typed."""
ASKS_PER_SECOND: Final = 4.0
"""Questions in the long run: a board may ask after each move of others."""
BOT_LINE_BURST: Final = 200
"""The same for bots, who answer at once in a game of bots."""
BOT_LINES_PER_SECOND: Final = 50.0
"""The same for bots in the long run: fast play, no flood."""
EXCESS_SECONDS: Final = 10.0
"""Who keeps flooding so long after being told is cut off."""
EXCESS_ENDS_SECONDS: Final = 0.5
"""So long without a line too many ends an excess; in one, the next is told of after so long.
Clients wait for longer before they say again what is unanswered.
"""
BAD_MESSAGES_PER_MINUTE: Final = 5
"""Readable nonsense: a broken client may try a few times."""
ANSWERS_REMEMBERED: Final = 32
"""Answers that a session can give again: a client repeats each line whose answer it lacks, and
no line may take effect twice (promise B2 of reliability.md). No client may let more lines wait.
"""
QUEUE_MAX_BYTES: Final = 256 * 1024
"""What may wait to be sent to a connection before it is cut as too slow."""
CONNECTIONS_PER_PERSON: Final = 5
"""Tabs and devices of one person; one more replaces the oldest."""
CONNECTIONS_PER_ADDRESS: Final = 20
"""Guests behind one address: a family or an office."""
CONNECTIONS_MAX: Final = 10_000
"""All connections."""
OPEN_FILES: Final = CONNECTIONS_MAX + KNOCKING_MAX + 100
"""Of a process: its connections, the store, sockets, pages."""
ROOMS_PER_CONNECTION: Final = 16
"""Rooms one connection is in at the same time."""
PING_SECONDS: Final = 20.0
"""How often a connection is asked for a sign of life; the library's own default."""
DEAD_SECONDS: Final = 25.0
"""How long the answer may take: gone people are seen within 45 s."""
DELIVERED_SECONDS: Final = PING_SECONDS + DEAD_SECONDS
"""A client that is still connected after so long has received what was sent before."""

TURN_SECONDS: Final = 0.01
"""So long frames are heard in one turn of the loop, however many they are."""
NETWORK_SECONDS: Final = 0.0003
"""Of that for one network: who plays elsewhere waits for two or three moves of its people."""
ASIDES_SECONDS: Final = 0.0003
"""Of a turn for questions and snapshots of all together: who plays goes before who asks."""
ASIDES_LATE_SECONDS: Final = 0.02
"""So long questions and snapshots wait for commits at the most; then a turn is theirs again."""
QUERIES_RUNNING: Final = 2
"""Queries of one network that are under way at a time: each has a step in each turn of the loop."""
QUERIES_WAITING: Final = 200
"""Queries of one network that wait for those; a club's pages that open after a restart ask less."""
QUERIES_LATE_SECONDS: Final = 1.0
"""After so long a query that found too many waiting may be sent again."""
COMMIT_LOOK_SECONDS: Final = 0.001
"""Between two looks whether a commit has ended meanwhile."""
CHARGED_SECONDS: Final = 0.0005
"""Time of the loop is charged when so much has come together: charging takes time, too."""
SYNC_SECONDS: Final = 1.0
"""Between two snapshots of a room for one connection that asks for them."""
SIGNS_A_TURN: Final = 32
"""Frames of one connection in one turn that are no small message: pings, pieces, large ones."""
SKIPPED_A_TURN: Final = 2_000
"""Frames of one that was told goodbye, which are only passed over: a millisecond."""
SIGNS_MOST: Final = 64
"""Pings and the like of a client between two of ours; it needs one or two."""
VAIN_FRAMES: Final = 16
"""Frames too many, or pieces, before nothing is read of their sender for a while."""
REST_SECONDS: Final = 0.1
"""How long. So 50 who flood together cost a tenth of the loop; what they send waits with them."""
THREAD_SWITCH_SECONDS: Final = 0.0001
"""So long the loop keeps the interpreter when another thread waits for it.

The journal's thread asks for it several times in a commit; with Python's own 5 ms a busy loop made
one commit take 40 ms.
"""
SLOW_LINE_SECONDS: Final = 0.005
"""What holds the loop longer is counted as slow."""

# The lobby.
OFFER_SECONDS: Final = 15.0
"""So long a group has to accept."""
MATCH_REQUEST_SECONDS: Final = 600.0
"""A wish waits so long for a person whose connection has broken."""
MATCH_REQUESTS_MAX: Final = 3
"""Wishes of one person: who wants everything wants nothing."""
WISHING_MOST: Final = 1_000
"""People with wishes: to read them all must not hold the loop."""
MATCH_REQUESTS_SHOWN: Final = 50
"""Wishes that `/wishes` shows; the rest is counted."""
DISCONNECTED_SECONDS: Final = 60.0
"""A person back so soon was never gone: neither for friends who watch, nor for a locked room."""
TALK_REPORTED: Final = 8
"""The last whispers to a person, and the last words in their room, which a `/report` has."""
LIST_MOST: Final = 100
"""People on one list of a person: a row is read whenever that person connects."""
HOMES_PER_PERSON: Final = 8
"""Networks known as an owner's own: home, work, a phone's, and some of a journey."""
SPENDERS_MAX: Final = 20_000
"""Addresses and people whose spending is remembered; the ones idle for longest are forgotten."""

# One room.
ROOM_QUEUE: Final = 32
"""Lines that wait in a room, since one entry is in flight at a time."""
ROOM_QUEUE_PER_PERSON: Final = 4
"""Lines of one person among them."""
LOG_LINES: Final = 50
"""Entries of the log in a snapshot."""
UNDO_ENTRIES: Final = 20
"""How many game entries one may go back."""
DIGEST_EVERY: Final = 16
"""Moves between two digests in a record."""
SUM_EVERY: Final = 32
"""Versions between two check sums of a view: four views cost as much as three moves."""
SNAPSHOT_EVERY: Final = 500
"""Entries between two snapshots of a room: loading folds at most so many, in about 30 ms."""
SNAPSHOT_EVERY_AMONG_SEVERAL: Final = 100
"""Entries of a room, where another engine may have to load it while people wait."""
ROOMS_OPEN_PER_PERSON: Final = 3
"""Rooms of one host that have not started: a tidy lobby."""
ROOMS_UNFINISHED_PER_PERSON: Final = 20
"""Unfinished games with a seat: friends play several at a time, not hundreds."""
HOUSE_BURST: Final = 2_000
"""Moves of house bots at once: a hundred tables of people, each answered by all its bots."""
HOUSE_PER_SECOND: Final = 200.0
"""The same in the long run: as many as a thousand people make, and 30 KB of journal."""
SHOW_BURST: Final = 1_000
"""Moves at once in games of bots alone: a few games from end to end."""
SHOWS_PER_SECOND: Final = 50.0
"""The same in the long run, in all such games together: more than people can follow."""
INVITES_MAX: Final = 50
"""Live invites of a room."""
NAMES_MAX: Final = 500
"""Admitted and barred people that a room remembers."""
LET_IN_MAX: Final = NAMES_MAX // 2
"""People who are inside when a room gets a password and stay admitted; others must fit in, too."""
IDLE_ROOM_SECONDS: Final = 600.0
"""A room without people leaves memory after so long; it is loaded again when wanted."""
EMPTY_ROOM_SECONDS: Final = 6 * 3600.0
"""An open room without people is closed after so long."""
LESSON_IDLE_MS: Final = 24 * 3600 * 1000
"""A lesson goes on where its learner was for so long; then it begins anew."""

DISK_RETRY_SECONDS: Final = 1.0
"""Between tries to read the journal, where a reply depends on what it says."""
RECORD_SECONDS: Final = 5.0
"""How long a next game, and the end of a server, wait for the record of the last game."""

# Time at the table.
AWAY_SECONDS: Final = 120.0
"""A player who is away so long while to move can be voted out by `remove`."""
VOTE_MS: Final = 30_000
MASTERRESET_VOTE_MS: Final = 60_000
"""How long a vote waits; ending a game deserves more thought."""
DAY_MS: Final = 24 * 3600 * 1000
CLOCK_DAYS_MAX: Final = 30
"""Days that a turn may have: a month away from the table is a game given up."""
VOTE_BY_DAYS_MS: Final = DAY_MS
"""A vote in a game that is played by days: all players look in once a day."""
VACATION_DAYS_A_YEAR: Final = 30
"""Days off that stop a person's clocks: a summer, and no method to never lose."""
HOOK_URL_MAX_CHARS: Final = 400
"""An address fits into the line that gives it."""
HOOK_SECONDS: Final = 5.0
"""A server that takes longer to answer is tried again later."""
HOOKS_AT_ONCE: Final = 4
"""Calls under way at a time: each has a thread."""
HOOK_WAITS_SECONDS: Final = (60.0, 300.0, 1800.0, 7200.0, 21600.0, 86400.0)
"""Before each further try of a call; a turn of days is not over by then, and not much is left."""
DUE_AT_ONCE: Final = 100
"""Rooms whose time is up that are woken a minute; the others wait for the next one."""
ALARM_SECONDS_MAX: Final = 600.0
"""No timer of a room runs longer; then it is looked at again, and days are left to the store."""
TURN_LEAST_MS: Final = 5_000
"""An empty bank still leaves so much for a turn, so that a seat can play at all."""
TIMEOUTS_IN_A_ROW: Final = 3
"""After so many time-outs a house bot stands in."""
HOUSE_BOT_SECONDS: Final = 5.0
"""A house bot that is silent for so long is played by the clock."""
LEVEL_SECONDS: Final = 12.0
"""A bot that looks ahead is silent for longer: five seconds at most, and it may wait for
others that think."""
BOT_PACE_SECONDS: Final = 0.7
"""Before each move of a house bot of a level where people play, who follow no quicker one."""
STAND_IN_PACE_SECONDS: Final = 5.0
"""Before each move of a bot that stands in for a person, and between two moves of all bots of that
room: about a person's own pace, and the time to come back before much is played."""
ALARM_RETRY_SECONDS: Final = 1.0
"""An act of the clock that came to nothing is tried again after so long: a full disk stays full."""
BUGS_IN_A_ROW: Final = 3
"""After so many the room is frozen."""
SENTENCES_VERSIONS: Final = 8
"""So long after a snapshot the sentences of its log stay in memory: the next snapshot comes soon or
never, and the sentences of a room take as much memory as the rest of it.
"""
PRESENCE_SECONDS: Final = 1.0
"""At most one `presence` per room and so long."""
LISTING_SIZE: Final = 50
"""Rooms on a page of the lobby: what a window shows, however many rooms there are."""
PAGES_WAITED_FOR: Final = 100
"""Pages of that list that are waited for: they are read one at a time, in 5 ms at the most."""
PAGES_RETRY_MS: Final = 1_000
"""By then most of them are read."""
ONLINE_SHOWN: Final = 100
"""Names that `/who` shows in the lobby; the rest is counted."""
TOP_SIZE: Final = 20
"""Rows of a page of a list of ratings: a screen."""
TOP_PAGES: Final = 50
"""Pages of such a list: what is passed over is walked through."""
TOP_SHORT: Final = 3
"""Rows of each list where all numbers of seats are shown."""
TOP_COUNTED: Final = TOP_SIZE * TOP_PAGES
"""A person with more above gets no rank."""
RATINGS_OF_ONE: Final = 200
"""Rows of one person: ten times the lists of all our games that a person is likely to be on."""
LOBBY_SECONDS: Final = 0.5
"""The lobby's patches are gathered so long."""

# People.
NAME_MAX_CHARS: Final = 16
"""A name fits into a score table."""
TOKEN_DAYS: Final = 30
"""A guest's token, and with it the name, lives so long after it was last used."""
GRANTS_PER_PERSON: Final = 10
"""Browsers and terminals with a token of a person; one more voids the one idle for longest."""
VOID_TOKENS_STORED: Final = 4
"""Tokens that are void, and whose holder is told so: tabs and copies of the last few returns."""
BOTS_PER_PERSON: Final = 10
"""Bots of one person, each with a token: a table full of them, and some to try out."""
PASSWORD_LEAST_CHARS: Final = 8
"""Of an account; a room's may be short."""
PASSWORD_MAX_CHARS: Final = 64
FORGOTTEN_MS: Final = 3600 * 1000
"""So long a forgotten password may be replaced, once the operator has allowed it."""
HASHES_AT_ONCE: Final = 2
"""Password hashes that are computed at a time: each fills a processor and 64 MiB."""
HASHES_IN_THE_AIR: Final = 32
"""Hashes that are computed or wait; a room of 32 friends may come at once."""
HASHES_OF_ONE: Final = 6
"""Hashes of one person at once: some mistyped passwords, and a room's that is set and set again."""
HASHES_SECONDS: Final = 15.0
"""Between more of them: twenty people behind one address take a fifteenth of a processor."""
HASHES_RETRY_MS: Final = 2_000
"""By then some of them are done."""
PASSWORD_TRIES: Final = 5
"""Wrong passwords per person and room in a minute; then the wait doubles."""
ROOM_TRIES_PER_MINUTE: Final = 20
"""Unknown rooms and dead invites a person may try: numbers must not be guessed."""
INVITE_DAYS: Final = 7
INVITE_USES: Final = 20
"""An invite link admits so many for so long."""
HINT_TABLE_SECONDS: Final = 5
"""Between two hints at one table: thinking about one takes a second."""
HINT_SEAT_SECONDS: Final = 15
"""Between two hints for one seat: a decision is to be made in between."""
HINT_PATIENCE_SECONDS: Final = 15.0
"""A hint that has not come by then does not come any more."""
ANALYSIS_PATIENCE_SECONDS: Final = 900.0
"""An analysis that has not come by then does not come: it is a minute's work, others go before."""
ANALYSES_WAITING: Final = 10
"""Analyses that are made or wait at one engine: the last of them comes after ten minutes."""
ANALYSES_STORED: Final = 200
"""Analyses that are kept in memory, of ten kilobytes each."""
ANALYSIS_MAX_CHARACTERS: Final = 128 * 1024
"""Of one analysis: the longest game has a tenth of it."""
ANALYSES_OF_ONE: Final = 2
"""Analyses for which one person waits at a time."""
HINTS_WAITING: Final = 200
"""Hints that are thought about or wait at one server; more of them would come too late."""
PEEK_MINUTES: Final = 10
"""The default time for which a hand may be seen: some turns of a usual game."""
PEEK_MINUTES_MAX: Final = 120
"""The longest that can be said at once: an evening's game."""
DELAYED_ENTRIES: Final = 32
"""Entries that are kept back behind one move, and shown at once: of more, what they come to."""
