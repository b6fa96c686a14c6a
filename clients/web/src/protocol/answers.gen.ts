// Written by `python -m bluebear.typescript`; change the Python that it is made from.

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

export type Answers = {
  readonly lobby: LobbyRow;
  readonly room: RoomLink;
  readonly analysis: Analysis;
};
