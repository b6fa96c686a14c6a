// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** Who is online, and how many more are. */
export type OnlinePeople = { readonly people: readonly OnlinePerson[]; readonly more: number; };

/** A person who is online, rooms that one may know of, and with which words they are away. */
export type OnlinePerson = {
  readonly name: string;
  readonly minutes: number;
  readonly rooms: readonly OnlineRoom[];
  readonly away?: string;
};

/** A room of a person who is online. */
export type OnlineRoom = { readonly id: string; readonly game: string; };

/** The rules of a game, by number, in the reader's language: what chapters mean on this table;
    with the contents also the titles of chapters, texts for newcomers, and the paragraphs. */
export type Book = {
  readonly table: { readonly [key: string]: string };
  readonly chapters?: { readonly [key: string]: string };
  readonly texts?: { readonly [key: string]: string };
  readonly paragraphs?: { readonly [key: string]: string };
};

/** A room in which the person sits or is the host; `turn`: whether it is theirs. `due`: in a
    game by days, when their time, else that of another one, is up, ms since 1970; else 0. */
export type MyRoom = {
  readonly clock: string;
  readonly due: number;
  readonly free: number;
  readonly game: string;
  readonly id: string;
  readonly locked: boolean;
  readonly made: number;
  readonly options: { readonly [key: string]: string };
  readonly phase: string;
  readonly seats: readonly string[];
  readonly turn: boolean;
  readonly watchers: number;
};

/** What the public may know of a finished game: when it `ended`, in ms since 1970. */
export type GameLink = {
  readonly ended: number;
  readonly game: string;
  readonly seats: readonly string[];
  readonly steps: number;
};

/** A room as the list has it. See `RoomLine` for what the fields say. */
export type LobbyRow = {
  readonly clock: string;
  readonly free: number;
  readonly game: string;
  readonly locked: boolean;
  readonly made: number;
  readonly options: { readonly [key: string]: string };
  readonly phase: string;
  readonly seats: readonly string[];
  readonly watchers: number;
};

/** What the public may know of the server: its version and its games. */
export type ServerInfo = { readonly games: readonly OfferedGame[]; readonly server: string; };

/** A game of this server; the names of its options with those that every room has. */
export type OfferedGame = {
  readonly key: string;
  readonly lessons: number;
  readonly minutes: number;
  readonly name: Phrase;
  readonly options: readonly OptionNames[];
  readonly seats: SeatCounts;
};

/** One sentence in both languages. */
export type Phrase = { readonly en: string; readonly ja: string; };

/** The names of an option, and of those of its values that are keywords. */
export type OptionNames = {
  readonly label: Phrase;
  readonly name: string;
  readonly type: string;
  readonly words: { readonly [key: string]: ValueName };
};

/** The labels of a value, and what else may be typed for it. */
export type ValueName = {
  readonly en: string;
  readonly ja: string;
  readonly names?: readonly string[];
};

/** The least and the greatest number of seats. */
export type SeatCounts = { readonly min: number; readonly max: number; };

/** What never changes about a game. `general` are the options of every room, `words` the names
    of values by slot, or another slot that has the same; `scores`, `slots` and `fields` the names
    of parts of a score, of slots, of fields of the view; `board` the addresses of the board that a
    package brings, `view` the JSON Schema of the views, `keys` their short keys. */
export type GameBody = {
  readonly board: readonly string[];
  readonly bots: readonly string[];
  readonly credits: readonly string[];
  readonly fields: { readonly [key: string]: Phrase };
  readonly general: readonly OptionForm[];
  readonly key: string;
  readonly keys: readonly string[];
  readonly minutes: number;
  readonly name: Phrase;
  readonly options: readonly OptionForm[];
  readonly rules: number;
  readonly scores: { readonly [key: string]: Phrase };
  readonly seats: SeatCounts;
  readonly slots: { readonly [key: string]: Phrase };
  readonly static: { readonly [key: string]: unknown };
  readonly summary: { readonly [key: string]: string };
  readonly verbs: readonly VerbForm[];
  readonly view: { readonly [key: string]: unknown };
  readonly words: { readonly [key: string]: { readonly [key: string]: ValueName } | string };
};

/** An option as a field of a form; `names`: what else may be typed for it. */
export type OptionForm = {
  readonly default: string;
  readonly help: Phrase;
  readonly label: Phrase;
  readonly name: string;
  readonly names: readonly string[];
  readonly type: string;
  readonly values: readonly string[];
  readonly words: { readonly [key: string]: ValueName };
};

/** A verb of a game; `names`: what else may be typed for it. */
export type VerbForm = {
  readonly names: readonly string[];
  readonly slots: readonly SlotForm[];
  readonly verb: string;
};

/** A slot as data: its values or, of numbers, bounds; `most`: of how many it is a list. */
export type SlotForm = {
  readonly high?: number;
  readonly low?: number;
  readonly most?: number;
  readonly name: string;
  readonly values?: readonly string[];
};

/** A step of a lesson, and the places that it speaks of; `wanted`: a move ends it, else it is
    only read. */
export type LessonStep = {
  readonly title: string;
  readonly text: string;
  readonly points: readonly string[];
  readonly wanted: boolean;
};

/** A list of people. */
export type ListedPeople = { readonly people: readonly ListedPerson[]; };

/** A person of a list, the rooms that one may know of, and with which words they are away. */
export type ListedPerson = {
  readonly name: string;
  readonly online: boolean;
  readonly rooms: readonly RoomLink[];
  readonly away?: string;
};

/** What a room says of itself before one enters. */
export type RoomLink = {
  readonly clock: string;
  readonly free: number;
  readonly game: string;
  readonly id: string;
  readonly locked: boolean;
  readonly made: number;
  readonly options: { readonly [key: string]: string };
  readonly phase: string;
  readonly seats: readonly string[];
  readonly watchers: number;
};

/** The ratings of a person, and the newest games, also unrated ones, where they are theirs. */
export type Stats = {
  readonly name: string;
  readonly ratings: readonly RatedIn[];
  readonly played: readonly PlayedGame[];
};

/** A rating in a game with a number of seats: how often the person came 1st, 2nd, ..., and left;
    the newest games first. */
export type RatedIn = {
  readonly game: string;
  readonly seats: number;
  readonly rating: Points;
  readonly ranks: readonly number[];
  readonly left: number;
  readonly recent: readonly PlayedGame[];
};

/** A rating, and by how much its points may be off; strength and uncertainty in millionths. */
export type Points = {
  readonly points: number;
  readonly margin: number;
  readonly mu_millionths: number;
  readonly sigma_millionths: number;
  readonly games: number;
};

/** A finished game of a person; rank 0: they left it. */
export type PlayedGame = {
  readonly game_id: string;
  readonly at: number;
  readonly rank: number;
  readonly points: number;
  readonly change: number;
  readonly names: readonly string[];
  readonly ranks: readonly number[];
  readonly rated: boolean;
  readonly game: string;
  readonly seats: number;
};

/** The rankings of a game. */
export type Top = { readonly game: string; readonly lists: readonly RankedWith[]; };

/** A ranking with a number of seats, and the caller's rating, if there is one. */
export type RankedWith = {
  readonly seats: number;
  readonly rows: readonly RankedPerson[];
  readonly caller?: Points;
};

/** A row of a ranking. */
export type RankedPerson = { readonly rank: number; readonly name: string; readonly rating: Points; };

/** The view at the step `from`, and the patches to those after it; `steps`: the last one. */
export type ReplayPage = {
  readonly at: number;
  readonly events: readonly { readonly [key: string]: unknown }[];
  readonly eyes: readonly number[];
  readonly from: number;
  readonly game: string;
  readonly hash: string;
  readonly id: string;
  readonly steps: number;
  readonly text: readonly string[];
  readonly then: readonly ReplayStep[];
  readonly version: number;
  readonly view: { readonly [key: string]: unknown };
};

/** A step and the patch to its view from that before. */
export type ReplayStep = {
  readonly at: number;
  readonly events: readonly { readonly [key: string]: unknown }[];
  readonly patch: { readonly [key: string]: unknown };
  readonly text: readonly string[];
  readonly version: number;
};

/** Sentences of the log. `first`: the version in which the game began; `next`: the version to go
    on from where not all of them fitted in. */
export type History = {
  readonly first?: number;
  readonly lines: readonly LoggedLine[];
  readonly next?: number;
};

/** A sentence of the log. */
export type LoggedLine = { readonly at: number; readonly text: string; readonly version: number; };

/** Where a game was won and lost.

    `names` by seat; `steps` of the replay, after each of which `chances` has the chance of each
    seat to be first, of 100, or nothing in a stage of the game in which chances are not shown as
    numbers; without `numbers` all stages are such. `sums` have for each seat, of 100: what its
    decisions gave away, what draws brought, the error of that, in the stages with numbers; `worse`
    how many decisions more of each were worse than another, in the stages without. Without
    `decisions` none of them could be judged. `text` is all of it for a terminal. */
export type Analysis = {
  readonly names: readonly string[];
  readonly decisions: boolean;
  readonly numbers: boolean;
  readonly steps: readonly number[];
  readonly chances: readonly (readonly number[])[];
  readonly sums: readonly (readonly [number, number, number])[];
  readonly worse: readonly number[];
  readonly points: readonly TurningPoint[];
  readonly text: { readonly [key: string]: string };
};

/** A turning point: the step of the replay, the sentence in both languages, the lines that
    `seat` played, and those that would have been better: none where a draw has turned the game. */
export type TurningPoint = {
  readonly step: number;
  readonly en: string;
  readonly ja: string;
  readonly seat: number;
  readonly lines: readonly string[];
  readonly better: readonly string[];
};

/** The present catalogue with its hash; the hash alone where the client has this one. */
export type Catalogue = { readonly commands?: readonly Item[]; readonly hash: string; };

/** One entry of the catalogue: moves and queries have `slots`, commands have `arguments`. */
export type Item = {
  readonly arguments?: readonly ArgumentItem[];
  readonly help: string;
  readonly kind: "command" | "move" | "query";
  readonly name: string;
  readonly names: readonly string[];
  readonly slots?: readonly SlotItem[];
  readonly usage: string;
};

/** An argument of a command, with its candidates. */
export type ArgumentItem = {
  readonly candidates: readonly string[];
  readonly kind: string;
  readonly label: string;
  readonly name: string;
  readonly optional: boolean;
};

/** A slot of a move or a query. */
export type SlotItem = {
  readonly high?: number;
  readonly label: string;
  readonly low?: number;
  readonly most?: number;
  readonly name: string;
  readonly values?: readonly string[];
};

/** What may stand instead of the text from `start` on. */
export type Completion = { readonly start: number; readonly candidates: readonly string[]; };

/** Whether the speaker `can` undo, and whether that `asks` the other players by a vote.

    `line` is the game's move that takes back within a turn; otherwise `version` is the entry that
    would be undone. */
export type UndoAhead = {
  readonly asks?: boolean;
  readonly can: boolean;
  readonly line?: string;
  readonly version?: number;
};

export type Answers = {
  readonly wwho: OnlinePeople;
  readonly rules: Book;
  readonly rooms: MyRoom;
  readonly game: GameLink;
  readonly lobby: LobbyRow;
  readonly about: ServerInfo;
  readonly body: GameBody;
  readonly lesson: LessonStep;
  readonly mute: ListedPeople;
  readonly friends: ListedPeople;
  readonly watch: ListedPeople;
  readonly block: ListedPeople;
  readonly stats: Stats;
  readonly top: Top;
  readonly replay: ReplayPage;
  readonly history: History;
  readonly analysis: Analysis;
  readonly catalogue: Catalogue;
  readonly complete: Completion;
  readonly undo: UndoAhead;
};
