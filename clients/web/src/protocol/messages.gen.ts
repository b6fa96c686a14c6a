// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The answer to `ask`. */
export type Answer = {
  readonly type: "answer";
  /** of the `ask` */
  readonly id: string;
  /** what was asked for */
  readonly what: "game" | "catalogue" | "complete" | "history" | "record" | "replay" | "analysis" | "query" | "rooms" | "lobby" | "undo" | "ping";
  /** the answer */
  readonly body: { readonly [key: string]: unknown };
};

/** A query, which changes nothing; the answer has the same `id`. */
export type Ask = {
  readonly type: "ask";
  /** chosen by you */
  readonly id: string;
  /** absent: the lobby */
  readonly room?: number | null;
  /** what is asked for */
  readonly what: "game" | "catalogue" | "complete" | "history" | "record" | "replay" | "analysis" | "query" | "rooms" | "lobby" | "undo" | "ping";
  /** arguments by name */
  readonly args?: { readonly [key: string]: string | number };
};

/** The server closes the connection after this frame. */
export type Bye = {
  readonly type: "bye";
  /** the reason, for programs */
  readonly why: string;
  /** the same as a sentence */
  readonly text: string;
  /** come back after this time; absent: do not */
  readonly retry_ms?: number | null;
};

/** Your line took effect (when no `update` of yours carries `done`). */
export type Done = {
  readonly type: "done";
  /** of your `say` */
  readonly id: string;
  /** the room it was for */
  readonly room?: number | null;
  /** in which it took effect; absent: nothing is kept */
  readonly version?: number | null;
};

/** A refusal: nothing has changed. */
export type Error = {
  readonly type: "error";
  /** the stable code, see 7 */
  readonly code: string;
  /** the same as a sentence */
  readonly text: string;
  /** of your message, if it had one */
  readonly id?: string | null;
  /** paragraph of the game's rules */
  readonly rule?: string | null;
  /** lines or words that you may have meant */
  readonly candidates?: readonly string[];
  /** say it again after this time; absent: no use in it */
  readonly retry_ms?: number | null;
  /** where in the line the wrong word begins, in code points */
  readonly start?: number | null;
  /** where it ends; both at the line's end if a word is missing */
  readonly end?: number | null;
  /** what `candidates` are: whole lines, words for that place, or bounds to read */
  readonly offers?: "line" | "word" | "range" | null;
};

/** Data that does not change while a game is played: maps, cards, options, grammar. */
export type Game = {
  readonly type: "game";
  /** key of the game */
  readonly key: string;
  /** of `body`: equal hash, equal body; keep it */
  readonly hash: string;
  /** the data */
  readonly body: { readonly [key: string]: unknown };
};

/** The first frame: who you are and what you want to receive. */
export type Hello = {
  readonly type: "hello";
  /** lowest and highest protocol version that you speak */
  readonly protocol?: readonly [number, number];
  /** the name you would like as a guest */
  readonly name?: string | null;
  /** the token of an earlier `welcome`: you are the same person again */
  readonly token?: string | null;
  /** what a server asks newcomers for that lets in only who knows it */
  readonly password?: string | null;
  /** languages, the best first */
  readonly langs: readonly ("ja" | "en")[];
  /** `events` as data, `text` as sentences, `moves` as legal lines, `short` for short keys (2), `ascii` for boards without box characters, `linear` for boards that are read aloud, `moved` for who follows a `moved` */
  readonly wants?: readonly ("events" | "text" | "moves" | "short" | "ascii" | "linear" | "moved")[];
  /** a program plays; bots have no vote */
  readonly bot?: boolean;
  /** name and version of your program */
  readonly agent?: string;
  /** beside a connection that you have: the token stays the same */
  readonly beside?: boolean;
};

/** A page of the list of rooms: the whole page, or the changes since the version before.

The tree has `rooms` by id, their `order`, `page` of `pages`, and `total` rooms. */
export type Lobby = {
  readonly type: "lobby";
  /** the version after it */
  readonly version: number;
  /** true: forget what you had, then apply */
  readonly full?: boolean;
  /** merge patch */
  readonly patch: { readonly [key: string]: unknown };
};

/** One sentence of a room's log. */
export type Logged = {
  /** the version that it tells of */
  readonly version: number;
  /** when, ms since 1970 */
  readonly at: number;
  /** the sentence */
  readonly text: string;
  /** what it tells of, as data, for those who want `events` */
  readonly event?: { readonly [key: string]: unknown } | null;
};

/** A room lives at another address: go there, and say again there what is unanswered. */
export type Moved = {
  readonly type: "moved";
  /** name of the room, as `/room` takes it */
  readonly name: string;
  /** where it is, against the address of this connection */
  readonly url: string;
  /** of your line that led there */
  readonly id?: string | null;
  /** its number here, which is void now */
  readonly room?: number | null;
};

/** The lines that are legal for a seat of yours, for those who want `moves`.

They come when the seat begins to be to move, and again when what it sees of the game changes. */
export type Moves = {
  readonly type: "moves";
  /** which room */
  readonly room: number;
  /** legal in this version */
  readonly version: number;
  /** for this seat */
  readonly seat: number;
  /** each can be said as it stands */
  readonly lines?: readonly string[];
};

/** A text to you alone, without a version of the room. */
export type Note = {
  readonly type: "note";
  /** what kind of note */
  readonly code: string;
  /** the words; may have several lines */
  readonly text: string;
  /** which room; absent: the lobby */
  readonly room?: number | null;
  /** who says it, where a person does */
  readonly name?: string | null;
  /** what was said, without the name; of `invited` the line that goes there, of `hint` the best line, of `coach` places by lines, of `lang` the language */
  readonly said?: string | null;
};

/** Who is in a room at this moment; always complete, not in the view. */
export type Presence = {
  readonly type: "presence";
  /** which room */
  readonly room: number;
  /** names of those connected */
  readonly here?: readonly string[];
  /** names of seated ones who are not */
  readonly away?: readonly string[];
};

/** A snapshot: the whole view of a room at a version. It replaces the view that you had. */
export type Room = {
  readonly type: "room";
  /** its number in the frames of this connection */
  readonly room: number;
  /** its name, as `/room` takes it */
  readonly id: string;
  /** key of the game */
  readonly game: string;
  /** of the `game` message that belongs to it */
  readonly hash: string;
  /** the version shown */
  readonly version: number;
  /** the tree `{room, game}` as you may see it */
  readonly view: { readonly [key: string]: unknown };
  /** check sum of `view` */
  readonly sum: number;
  /** seats whose secrets you see; empty: a spectator */
  readonly eyes?: readonly number[];
  /** the newest sentences, for those who want `text` */
  readonly log?: readonly Logged[];
};

/** One typed line: a move, a command or talk. */
export type Say = {
  readonly type: "say";
  /** chosen by you, never used twice by one person */
  readonly id: string;
  /** the line */
  readonly text: string;
  /** absent: the lobby */
  readonly room?: number | null;
  /** the version you saw; a move is `stale` when your seat moved on since */
  readonly at?: number | null;
};

/** Asks for a snapshot, because a version or a check sum does not fit. */
export type Sync = { readonly type: "sync"; /** which room */ readonly room: number; };

/** A request for a hint to a seat or for an analysis (only to house bots).

The reply to a hint is the line `/thought NUMBER` and a JSON object. An analysis is requested
by its `record`; the reply is lines `/analysed NUMBER SIGN PART` with parts of a JSON object,
the sign is `.` for the last part, else `+`. Without lines and record the request is cancelled. */
export type Think = {
  readonly type: "think";
  /** which question */
  readonly number: number;
  /** name of the room */
  readonly room?: string;
  /** key of the game */
  readonly game?: string;
  /** version of its rules */
  readonly rules?: number | null;
  /** who asks */
  readonly seat?: number;
  /** the game as the seat sees it */
  readonly view?: { readonly [key: string]: unknown };
  /** its legal lines */
  readonly lines?: readonly string[];
  /** the record of the game that is to be analysed */
  readonly record?: string | null;
};

/** One step of a room, from the version before to `version`. */
export type Update = {
  readonly type: "update";
  /** which room */
  readonly room: number;
  /** the version after it */
  readonly version: number;
  /** merge patch that everybody gets */
  readonly patch?: { readonly [key: string]: unknown } | null;
  /** merge patch of what only you see; after `patch` */
  readonly own?: { readonly [key: string]: unknown } | null;
  /** `id` of your `say` that did this */
  readonly done?: string | null;
  /** check sum of the view after it */
  readonly sum?: number | null;
  /** what happened, each with its name under `event` */
  readonly events?: readonly { readonly [key: string]: unknown }[] | null;
  /** what happened, in sentences */
  readonly text?: readonly string[] | null;
};

/** A seat waits for a bot (only to house bots). */
export type Wanted = {
  readonly type: "wanted";
  /** name of the room, as `/room` takes it */
  readonly room: string;
  /** which seat */
  readonly seat: number;
  /** how to play */
  readonly strategy: string;
  /** admits the bot to the seat */
  readonly ticket: string;
  /** how long to wait before each move: a person's seat */
  readonly pace_ms?: number | null;
};

/** The answer to `hello`. */
export type Welcome = {
  readonly type: "welcome";
  /** the protocol version of this connection */
  readonly protocol: number;
  /** who you are: opaque, stays the same */
  readonly person: string;
  /** your name */
  readonly name: string;
  /** keep it: the next `hello` is you again */
  readonly token: string;
  /** the language of all sentences to you */
  readonly lang: "ja" | "en";
  /** name and version of the server */
  readonly server: string;
  /** the server's clock, ms since 1970 */
  readonly now: number;
  /** addresses of nodes, that of this one first */
  readonly nodes?: readonly string[];
};

export type ClientMessage = Hello | Say | Ask | Sync;

export type ServerMessage = Welcome | Room | Update | Presence | Moves | Game | Moved | Answer | Note | Done | Error | Lobby | Bye | Wanted | Think;

/** What an `error` may be about. */
export type Code = "bad_message" | "wrong_protocol" | "too_fast" | "too_long" | "hello_first" | "entry_password" | "wrong_entry_password" | "busy" | "too_much" | "internal" | "moved" | "not_saved" | "unknown_command" | "ambiguous_command" | "whole_word" | "empty_line" | "bad_line" | "ambiguous" | "ambiguous_move" | "missing_argument" | "command_missing" | "bad_argument" | "bad_word" | "extra_argument" | "too_many" | "too_many_words" | "stands_twice" | "bad_value" | "bad_password" | "bad_seed" | "no_such_game" | "no_such_option" | "no_such_seat" | "no_such_bot" | "no_such_person" | "no_such_player" | "no_such_paragraph" | "no_such_area" | "no_such_query" | "no_such_invite" | "nobody_here" | "not_here" | "which_seat" | "which_vote" | "not_permitted" | "not_now" | "not_in_room" | "not_seated" | "not_your_turn" | "game_over" | "not_playing" | "yell_private" | "nobody_to_nudge" | "nudged_gone" | "nowhere_to_go" | "paused" | "too_many_wishes" | "no_wish" | "no_offer" | "no_such_table" | "list_self" | "list_full" | "not_on_list" | "not_wanted" | "watchers_quiet" | "one_at_a_time" | "rash" | "stale" | "nothing_to_undo" | "nothing_to_take_back" | "no_vote" | "no_voter" | "own_vote" | "vote_open" | "nobody_to_vote" | "too_soon" | "nobody_waits" | "clock_decides" | "already_voted" | "room_unknown" | "room_full" | "game_running" | "wrong_seat_count" | "already_ready" | "not_all_ready" | "host_begins" | "no_player_here" | "host_takes_seat" | "password_wanted" | "wrong_password" | "password_wait" | "guessed_too_often" | "no_watching" | "too_many_rooms_at_once" | "no_record" | "option_pinned" | "not_offered" | "no_replay" | "fork_running" | "fork_over" | "fork_options" | "in_lesson" | "no_lesson" | "lesson_line" | "peek_rated" | "peek_seated" | "no_peek" | "has_peeked" | "hints_off" | "hints_rated" | "hints_used" | "no_hints" | "analysis_busy" | "analysis_failed" | "no_such_move" | "no_such_record" | "already_seated" | "seat_taken" | "no_bot_there" | "no_player_there" | "not_stood_in" | "players_decide" | "not_the_host" | "not_banned" | "no_hooks" | "hook_bad" | "hook_host" | "on_vacation" | "not_on_vacation" | "too_many_days" | "too_many_rooms" | "too_many_games" | "too_many_invites" | "too_many_people" | "rules_changed" | "version_gap" | "unauthorized" | "token_replaced" | "guest_seated" | "account_password" | "short_password" | "wrong_login" | "login_first" | "register_first" | "too_many_bots" | "no_such_token" | "token_scope" | "not_for_bots" | "disk_low" | "lockdown" | "banished" | "silenced" | "not_locked" | "not_silenced" | "not_banished" | "operator_spared" | "backup_failed" | "restarting" | "full_server" | "name_taken" | "name_bad";
