// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export type View = {
  readonly rules: number;
  readonly auto_done: boolean;
  readonly lap_once?: boolean;
  readonly round: number;
  readonly over: boolean;
  readonly dice: readonly ("rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6")[];
  readonly seats: { readonly [key: string]: {
    readonly board: { readonly [key: string]: readonly [piece: "rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6", turn: string, round: number] };
    readonly points: readonly [exits: number, road: number, railway: number, centre: number, open_ends: number, total: number];
    readonly began: boolean;
    readonly done: boolean;
    readonly draft?: readonly [strokes: readonly (readonly [square: string, piece: "rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6", turn: string])[], points: readonly [exits: number, road: number, railway: number, centre: number, open_ends: number, total: number]];
    readonly seen?: { readonly [key: string]: readonly [strokes: readonly (readonly [square: string, piece: "rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6", turn: string])[], points: readonly [exits: number, road: number, railway: number, centre: number, open_ends: number, total: number]] };
  } };
};

/** The static data. */
export type Fixed = {
  readonly pieces: { readonly [key: string]: {
    readonly station: boolean;
    readonly turns: { readonly [key: string]: string };
  } };
  readonly exits: readonly (readonly [string, "E" | "N" | "S" | "W", "railway" | "road"])[];
};

export type Drawing = {
  readonly event: "drawing";
  readonly seat: number;
  readonly deed?: "draw" | "special" | "erase";
  readonly squares?: readonly string[];
  readonly details?: readonly string[];
  readonly score?: number;
};

export type DrawingOn = {
  readonly event: "drawing_on";
  readonly seat: number;
  readonly deed: "draw" | "special" | "erase";
  readonly squares: readonly string[];
  readonly details: readonly string[];
  readonly score: number;
};

export type Finished = { readonly event: "finished"; readonly seat: number; };

export type FinishedByItself = { readonly event: "finished_by_itself"; readonly seat: number; };

export type GameOver = {
  readonly event: "game_over";
  readonly winner: readonly number[];
  readonly score: number;
};

export type NothingRevealed = {
  readonly event: "nothing_revealed";
  readonly seat: number;
  readonly score: number;
};

export type Revealed = {
  readonly event: "revealed";
  readonly seat: number;
  readonly squares: readonly string[];
  readonly strokes: readonly (readonly [square: string, piece: "rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6", turn: string])[];
  readonly score: number;
};

export type RoundBegan = {
  readonly event: "round_began";
  readonly round: number;
  readonly dice: readonly ("rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6")[];
};

export type Scored = {
  readonly event: "scored";
  readonly seat: number;
  readonly exits: number;
  readonly road: number;
  readonly railway: number;
  readonly centre: number;
  readonly open_ends: number;
  readonly total: number;
};

export type Shown = {
  readonly event: "shown";
  readonly seat: number;
  readonly seats: readonly number[];
  readonly drafts: { readonly [key: string]: readonly [strokes: readonly (readonly [square: string, piece: "rail_curve" | "rail_t" | "rail_straight" | "road_curve" | "road_t" | "road_straight" | "overpass" | "station_straight" | "station_curve" | "special_1" | "special_2" | "special_3" | "special_4" | "special_5" | "special_6", turn: string])[], points: readonly [exits: number, road: number, railway: number, centre: number, open_ends: number, total: number]] };
};

/** What happened, as data. */
export type Event = Drawing | DrawingOn | Finished | FinishedByItself | GameOver | NothingRevealed | Revealed | RoundBegan | Scored | Shown;
