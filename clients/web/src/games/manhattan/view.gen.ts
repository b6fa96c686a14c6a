// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export type View = {
  readonly rules: number;
  readonly sixrounds: boolean;
  readonly turned_cards: boolean;
  readonly phase: "choosing" | "building" | "over";
  readonly round: number;
  readonly start: number;
  readonly cities: { readonly [key: string]: { readonly [key: string]: readonly [floors: readonly number[], owner: number] } };
  readonly seats: { readonly [key: string]: {
    readonly hand?: readonly number[];
    readonly stock: readonly number[];
    readonly chosen: readonly number[];
    readonly lost: number;
    readonly score: number;
    readonly points: readonly [buildings: number, cities: number, tallest: number];
  } };
  readonly used: { readonly [key: string]: number };
};

export type Began = {
  readonly event: "began";
  readonly seat: number;
  readonly rounds: number;
  readonly blocks: number;
};

export type Built = {
  readonly event: "built";
  readonly seat: number;
  readonly block: number;
  readonly city: "cairo" | "frankfurt" | "hongkong" | "newyork" | "saopaulo" | "sydney";
  readonly site: number;
};

export type Captured = {
  readonly event: "captured";
  readonly seat: number;
  readonly block: number;
  readonly city: "cairo" | "frankfurt" | "hongkong" | "newyork" | "saopaulo" | "sydney";
  readonly site: number;
  readonly other: number;
};

export type Dealt = {
  readonly event: "dealt";
  readonly seat: number;
  readonly cards: readonly number[];
};

export type Drew = { readonly event: "drew"; readonly seat: number; readonly card: number; };

export type Exchanged = {
  readonly event: "exchanged";
  readonly seat: number;
  readonly cards: readonly number[];
};

export type GameOver = {
  readonly event: "game_over";
  readonly winner: readonly number[];
  readonly score: number;
};

export type Got = {
  readonly event: "got";
  readonly seat: number;
  readonly blocks: readonly number[];
};

export type Lost = { readonly event: "lost"; readonly seat: number; readonly block: number; };

export type RoundBegan = {
  readonly event: "round_began";
  readonly round: number;
  readonly seat: number;
};

export type Scored = {
  readonly event: "scored";
  readonly seat: number;
  readonly round: number;
  readonly buildings: number;
  readonly cities: number;
  readonly tallest: number;
  readonly points: number;
  readonly score: number;
};

export type Shuffled = { readonly event: "shuffled"; readonly count: number; };

export type Took = {
  readonly event: "took";
  readonly seat: number;
  readonly blocks: readonly number[];
};

/** What happened, as data. */
export type Event = Began | Built | Captured | Dealt | Drew | Exchanged | GameOver | Got | Lost | RoundBegan | Scored | Shuffled | Took;
