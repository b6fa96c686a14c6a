// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** A spectator who may see a player's hand until a time (ms). */
export type Peek = { readonly name: string; readonly until: number; };

/** A taken seat. */
export type Chair = {
  readonly name: string;
  readonly human: boolean;
  readonly bot?: string;
  readonly seed?: string;
  readonly resigned?: number;
  readonly bank?: number;
  readonly deadline?: number;
  readonly away_until?: number;
  readonly peek?: Peek;
  readonly hints?: number;
};

/** An open vote. `seat` is the seat that it concerns, `target` the version to undo to. */
export type Vote = {
  readonly kind: "undo" | "remove" | "seat" | "pause" | "masterreset" | "kick";
  readonly by: string;
  readonly voters: readonly number[];
  readonly yes: readonly number[];
  readonly no: readonly number[];
  readonly deadline: number;
  readonly seat?: number;
  readonly target?: number;
};

/** The rank (`place`, from 1) and score of a seat. */
export type SeatResult = { readonly place: number; readonly score: number; };

/** One line of the breakdown of the scores. */
export type Line = {
  readonly seat: number;
  readonly key: string;
  readonly points: number;
  readonly rule: string;
};

/** A player's rating points after a rated game, and their change. */
export type RatingChange = { readonly points: number; readonly change: number; };

/** How a game ended: by score, by resignation, or void. `seed` proves its draws. */
export type Ending = {
  readonly how: string;
  readonly seed: string;
  readonly places: { readonly [key: string]: SeatResult };
  readonly breakdown: readonly Line[];
  readonly ratings?: { readonly [key: string]: RatingChange };
};

/** The finished game that a fork continues: its id, the last move taken over, the players. */
export type ForkOf = {
  readonly id: string;
  readonly move: number;
  readonly names: readonly string[];
};

/** A view's `room`. */
export type Table = {
  readonly id: string;
  readonly game: string;
  readonly privacy: "public" | "unlisted" | "private";
  readonly phase: "open" | "playing" | "paused" | "over" | "frozen";
  readonly host: string;
  readonly options: { readonly [key: string]: string };
  readonly seats: { readonly [key: string]: Chair };
  readonly turn: readonly number[];
  readonly ready: readonly number[];
  readonly votes: { readonly [key: string]: Vote };
  readonly game_id: string;
  readonly commit: string;
  readonly locked: boolean;
  readonly rated: boolean;
  readonly paused_at?: number;
  readonly ending?: Ending;
  readonly fork?: ForkOf;
  readonly lesson?: { readonly name: string; readonly step: number; readonly steps: number; };
};
