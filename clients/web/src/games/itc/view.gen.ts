// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export type View = {
  readonly rules: number;
  readonly goal: number;
  readonly attack_limit: boolean;
  readonly transport_pay: boolean;
  readonly move_loaded?: boolean;
  readonly express_blue?: boolean;
  readonly green_die: number;
  readonly max_rounds: number;
  readonly phase: "placing" | "dice" | "rolled" | "acting" | "discarding" | "over";
  readonly round: number;
  readonly start: number;
  readonly last: boolean;
  readonly turn: {
    readonly seat: number;
    readonly dice: { readonly [key: string]: number };
    readonly used?: "blue" | "green" | "red";
    readonly points: number;
    readonly extra: number;
    readonly played: readonly (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20)[];
    readonly duties: { readonly [key: string]: readonly number[] };
    readonly landed: readonly ("africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market")[];
    readonly attacked: boolean;
    readonly busy?: {
      readonly card: number;
      readonly goods: readonly number[];
      readonly is: "Dropping";
    } | {
      readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
      readonly taken: readonly number[];
      readonly is: "Organizing";
    } | {
      readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
      readonly left: number;
      readonly is: "Resettling";
    } | {
      readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
      readonly used: number;
      readonly is: "Selling";
    };
    readonly stranded: readonly number[];
  };
  readonly routes: { readonly [key: string]: { readonly [key: string]: readonly [cards: readonly number[], owner: number, under: "none" | "hidden" | "smuggling" | "express", fresh: boolean] } };
  readonly places: { readonly [key: string]: readonly [goods: readonly number[], fresh: readonly number[], stones: readonly number[]] };
  readonly seats: { readonly [key: string]: {
    readonly money: number;
    readonly income: readonly [transport: number, smuggling: number, thefts: number, sales: number, market: number];
    readonly stock: number;
    readonly transports: number;
    readonly actions: number;
    readonly hand?: readonly number[];
    readonly kept?: readonly string[];
    readonly under?: { readonly [key: string]: "none" | "hidden" | "smuggling" | "express" };
  } };
  readonly used_transports: { readonly [key: string]: boolean };
  readonly used_actions: { readonly [key: string]: number };
};

/** The static data. */
export type Fixed = {
  readonly goods: readonly { readonly good: string; readonly transport: number; readonly sale: number; }[];
  readonly dice: { readonly blue: number; readonly green: number; readonly red: number; };
  readonly routes: readonly {
    readonly route: string;
    readonly columns: number;
    readonly rows: number;
    readonly smuggling: number;
  }[];
  readonly places: readonly {
    readonly place: string;
    readonly spaces: number;
    readonly accepts: readonly string[];
  }[];
  readonly limits: { readonly hand: number; readonly mega: number; readonly per_route: number; };
  readonly transports: { readonly [key: string]: {
    readonly routes: readonly ["blue" | "grey" | "red", "blue" | "green" | "red"];
    readonly goods: readonly string[];
    readonly at_risk: string;
    readonly full: { readonly [key: string]: number };
    readonly robbed: { readonly [key: string]: number };
    readonly to?: string;
  } };
  readonly actions: { readonly [key: string]: {
    readonly number: number;
    readonly kind: string;
    readonly time: string;
    readonly copies: number;
    readonly places: readonly string[];
    readonly route?: string;
  } };
};

export type Arrived = {
  readonly event: "arrived";
  readonly card: number;
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
  readonly goods: readonly ("black" | "white" | "red" | "green" | "yellow" | "blue")[];
};

export type AtOnce = { readonly event: "at_once"; readonly seat: number; readonly action: string; };

export type Attacked = {
  readonly event: "attacked";
  readonly seat: number;
  readonly other: number;
  readonly count: number;
};

export type Began = { readonly event: "began"; readonly seat: number; readonly goal: number; };

export type Caught = {
  readonly event: "caught";
  readonly seat: number;
  readonly card: number;
  readonly amount: number;
};

export type Clashed = {
  readonly event: "clashed";
  readonly seat: number;
  readonly other: number;
  readonly number: number;
  readonly other_number: number;
  readonly count: number;
  readonly other_count: number;
};

export type Dealt = {
  readonly event: "dealt";
  readonly seat: number;
  readonly cards: readonly number[];
};

export type Delivered = {
  readonly event: "delivered";
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
  readonly count: number;
};

export type Discarded = { readonly event: "discarded"; readonly seat: number; readonly held: string; };

export type DrewAction = {
  readonly event: "drew_action";
  readonly seat: number;
  readonly action?: string;
};

export type DrewTransports = {
  readonly event: "drew_transports";
  readonly seat: number;
  readonly count: number;
  readonly cards?: readonly number[];
};

export type Dropped = {
  readonly event: "dropped";
  readonly seat: number;
  readonly card: number;
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
};

export type DutyNoted = {
  readonly event: "duty_noted";
  readonly seat: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly row: number;
};

export type ExpressShown = {
  readonly event: "express_shown";
  readonly seat: number;
  readonly card: number;
};

export type GameOver = {
  readonly event: "game_over";
  readonly winner: readonly number[];
  readonly money: number;
};

export type JamLost = {
  readonly event: "jam_lost";
  readonly seat: number;
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly row: number;
};

export type Jumped = {
  readonly event: "jumped";
  readonly seat: number;
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly column: number;
};

export type Kept = { readonly event: "kept"; readonly seat: number; readonly card: number; };

export type LastRound = { readonly event: "last_round"; readonly seat: number; readonly money: number; };

export type LeftGame = {
  readonly event: "left_game";
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
};

export type Loaded = {
  readonly event: "loaded";
  readonly seat: number;
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly column: number;
};

export type LoadedMega = {
  readonly event: "loaded_mega";
  readonly seat: number;
  readonly cards: readonly number[];
  readonly route: "grey" | "red" | "blue" | "green";
  readonly column: number;
};

export type LoadedOver = {
  readonly event: "loaded_over";
  readonly seat: number;
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly column: number;
  readonly under?: "none" | "hidden" | "smuggling" | "express";
};

export type MafiaBegan = { readonly event: "mafia_began"; readonly seat: number; };

export type MarketHeld = {
  readonly event: "market_held";
  readonly seat: number;
  readonly count: number;
};

export type MarketLeft = { readonly event: "market_left"; readonly seat: number; };

export type MarketTaken = {
  readonly event: "market_taken";
  readonly seat: number;
  readonly count: number;
};

export type NeutralEntered = {
  readonly event: "neutral_entered";
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly column: number;
};

export type NeutralStranded = { readonly event: "neutral_stranded"; readonly card: number; };

export type NeutralsAdvanced = { readonly event: "neutrals_advanced"; readonly cards: readonly number[]; };

export type NothingDelivered = {
  readonly event: "nothing_delivered";
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
};

export type Overflowed = {
  readonly event: "overflowed";
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
  readonly other_good: "black" | "white" | "red" | "green" | "yellow" | "blue";
};

export type PilesMerged = { readonly event: "piles_merged"; readonly count: number; };

export type Played = { readonly event: "played"; readonly seat: number; readonly action: string; };

export type Purged = {
  readonly event: "purged";
  readonly goods: readonly ("black" | "white" | "red" | "green" | "yellow" | "blue")[];
};

export type Robbed = {
  readonly event: "robbed";
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
};

export type Rolled = {
  readonly event: "rolled";
  readonly seat: number;
  readonly die: "blue" | "green" | "red";
  readonly number: number;
};

export type SetBack = {
  readonly event: "set_back";
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly row: number;
  readonly column: number;
};

export type SmugglingPaid = {
  readonly event: "smuggling_paid";
  readonly seat: number;
  readonly card: number;
  readonly amount: number;
};

export type Sold = {
  readonly event: "sold";
  readonly seat: number;
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
  readonly count: number;
  readonly amount: number;
};

export type Stepped = {
  readonly event: "stepped";
  readonly seat: number;
  readonly card: number;
  readonly route: "grey" | "red" | "blue" | "green";
  readonly row: number;
  readonly column: number;
};

export type Stolen = {
  readonly event: "stolen";
  readonly card: number;
  readonly good: "black" | "white" | "red" | "green" | "yellow" | "blue";
};

export type StoneLost = {
  readonly event: "stone_lost";
  readonly seat: number;
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
};

export type StoneMoved = {
  readonly event: "stone_moved";
  readonly seat: number;
  readonly origin: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
};

export type StonePlaced = {
  readonly event: "stone_placed";
  readonly seat: number;
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
};

export type TheftPaid = {
  readonly event: "theft_paid";
  readonly seat: number;
  readonly amount: number;
};

export type TheftRolled = {
  readonly event: "theft_rolled";
  readonly card: number;
  readonly place: "africa" | "asia" | "australia" | "europe" | "northamerica" | "southamerica" | "market";
  readonly number: number;
};

export type TooManyCards = {
  readonly event: "too_many_cards";
  readonly seat: number;
  readonly count: number;
};

export type TransportPaid = {
  readonly event: "transport_paid";
  readonly seat: number;
  readonly card: number;
  readonly amount: number;
};

export type TransportsReturned = { readonly event: "transports_returned"; readonly count: number; };

export type TurnBegan = { readonly event: "turn_began"; readonly seat: number; readonly round: number; };

export type Uncovered = {
  readonly event: "uncovered";
  readonly seat: number;
  readonly card: number;
  readonly under: "none" | "hidden" | "smuggling" | "express";
};

export type Used = {
  readonly event: "used";
  readonly seat: number;
  readonly die: "blue" | "green" | "red";
  readonly points: number;
};

export type WentToMarket = {
  readonly event: "went_to_market";
  readonly card: number;
  readonly goods: readonly ("black" | "white" | "red" | "green" | "yellow" | "blue")[];
};

/** What happened, as data. */
export type Event = Arrived | AtOnce | Attacked | Began | Caught | Clashed | Dealt | Delivered | Discarded | DrewAction | DrewTransports | Dropped | DutyNoted | ExpressShown | GameOver | JamLost | Jumped | Kept | LastRound | LeftGame | Loaded | LoadedMega | LoadedOver | MafiaBegan | MarketHeld | MarketLeft | MarketTaken | NeutralEntered | NeutralStranded | NeutralsAdvanced | NothingDelivered | Overflowed | PilesMerged | Played | Purged | Robbed | Rolled | SetBack | SmugglingPaid | Sold | Stepped | Stolen | StoneLost | StoneMoved | StonePlaced | TheftPaid | TheftRolled | TooManyCards | TransportPaid | TransportsReturned | TurnBegan | Uncovered | Used | WentToMarket;
