// Written by `python -m bluebear.typescript`; change the Python that it is made from.

/** The part `game` of a view. */
export type View = {
  readonly rules: number;
  readonly short: boolean;
  readonly contracts_at_once?: boolean;
  readonly run_up?: boolean;
  readonly max_rounds: number;
  readonly phase: "placing" | "acting" | "sailing" | "attack_support" | "defence_support" | "attack_roll" | "defence_roll" | "retreating" | "over";
  readonly start: number;
  readonly turn: number;
  readonly number: number;
  readonly actions: number;
  readonly seats: { readonly [key: string]: {
    readonly capital: string;
    readonly koku: number;
    readonly samurai: { readonly [key: string]: number };
    readonly pieces: { readonly [key: string]: number };
    readonly contracts: readonly string[];
  } };
  readonly banks: { readonly [key: string]: number };
  readonly pieces: { readonly [key: string]: readonly [owner: number, kind: "archer" | "spear" | "sword" | "capital", back: boolean, weak: boolean] };
  readonly sites: { readonly [key: string]: readonly [owner: number, castle: 0 | 1 | 2, shrine: 0 | 1 | 2, wall: boolean, smithy: boolean, garden: boolean, ships: number] };
  readonly supply: { readonly [key: string]: number };
  readonly open: { readonly [key: string]: string };
  readonly stacks: { readonly [key: string]: readonly string[] };
  readonly taxed: readonly string[];
  readonly decided: number;
  readonly ship_at?: string;
  readonly battle?: {
    readonly origin: string;
    readonly town: string;
    readonly approach: "road" | "sea";
    readonly weather: "sun" | "rain" | "storm";
    readonly allies: readonly string[];
    readonly guards: readonly string[];
    readonly dice: readonly number[];
    readonly reply: readonly number[];
    readonly rerolls: number;
  };
  readonly ending?: "capital" | "contracts" | "short" | "rounds";
  readonly winner?: number;
};

/** The static data. */
export type Fixed = {
  readonly canvas: number;
  readonly provinces: { readonly [key: string]: {
    readonly en: string;
    readonly ja: string;
    readonly side: "centre" | "east" | "west";
  } };
  readonly towns: { readonly [key: string]: {
    readonly en: string;
    readonly ja: string;
    readonly province: string;
    readonly x: number;
    readonly y: number;
    readonly port: boolean;
    readonly shipyard: boolean;
    readonly capital: boolean;
  } };
  readonly roads: readonly ({
    readonly a: string;
    readonly b: string;
    readonly terrain: "forest" | "mountain" | "plain";
    readonly name: string;
    readonly strait: boolean;
  })[];
  readonly contracts: { readonly [key: string]: {
    readonly en: string;
    readonly ja: string;
    readonly side: "centre" | "east" | "west";
    readonly towns: readonly string[];
    readonly ships: number;
    readonly points: number;
  } };
  readonly samurai: { readonly [key: string]: {
    readonly cost: number;
    readonly stock: number;
    readonly strength: readonly [number, number];
  } };
  readonly buildings: { readonly [key: string]: {
    readonly cost: number;
    readonly action: boolean;
    readonly attack: number;
    readonly defence: number;
    readonly limit: number;
    readonly shared: boolean;
  } };
  readonly needed: { readonly [key: string]: { readonly sun: number; readonly rain: number; readonly storm?: number; } };
};

export type Attacked = {
  readonly event: "attacked";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly origin: string;
  readonly other: number;
  readonly target: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
  readonly koku: number;
  readonly province: string;
};

export type Began = {
  readonly event: "began";
  readonly seat: number;
  readonly other: number;
  readonly by: number;
};

export type Built = {
  readonly event: "built";
  readonly seat: number;
  readonly building: "ship" | "garden" | "smithy" | "castle" | "shrine" | "wall";
  readonly town: string;
  readonly koku: number;
};

export type CapitalFell = {
  readonly event: "capital_fell";
  readonly seat: number;
  readonly other: number;
  readonly town: string;
};

export type CapitalHit = {
  readonly event: "capital_hit";
  readonly seat: number;
  readonly other: number;
  readonly town: string;
};

export type Captured = {
  readonly event: "captured";
  readonly seat: number;
  readonly other: number;
  readonly town: string;
  readonly count: number;
};

export type Completed = { readonly event: "completed"; readonly seat: number; readonly town: string; };

export type Conquered = {
  readonly event: "conquered";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly origin: string;
  readonly town: string;
};

export type Counted = {
  readonly event: "counted";
  readonly seat: number;
  readonly koku: number;
  readonly samurai: number;
  readonly buildings: number;
  readonly contracts: number;
  readonly points: number;
};

export type Declared = {
  readonly event: "declared";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly origin: string;
  readonly town: string;
  readonly terrain: "plain" | "forest" | "mountain" | "sea";
};

export type Dismissed = {
  readonly event: "dismissed";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
};

export type Failed = {
  readonly event: "failed";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
};

export type Forged = {
  readonly event: "forged";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
};

export type Fulfilled = {
  readonly event: "fulfilled";
  readonly seat: number;
  readonly contract: string;
  readonly points: number;
  readonly total: number;
};

export type GameDrawn = {
  readonly event: "game_drawn";
  readonly ending: "capital" | "contracts" | "short" | "rounds";
};

export type GameWon = {
  readonly event: "game_won";
  readonly winner: number;
  readonly ending: "capital" | "contracts" | "short" | "rounds";
};

export type Levied = {
  readonly event: "levied";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
  readonly koku: number;
};

export type Lost = {
  readonly event: "lost";
  readonly seat: number;
  readonly total: number;
  readonly other: number;
  readonly against: number;
  readonly town: string;
};

export type Moved = {
  readonly event: "moved";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly origin: string;
  readonly town: string;
};

export type Opened = {
  readonly event: "opened";
  readonly side: "west" | "centre" | "east";
  readonly deal: string;
  readonly points: number;
};

export type Passed = { readonly event: "passed"; readonly seat: number; readonly actions: number; };

export type Placed = {
  readonly event: "placed";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
};

export type Razed = {
  readonly event: "razed";
  readonly seat: number;
  readonly town: string;
  readonly buildings: readonly ("ship" | "garden" | "smithy" | "castle" | "shrine" | "wall")[];
};

export type Recovered = {
  readonly event: "recovered";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
};

export type Removed = {
  readonly event: "removed";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly town: string;
};

export type Restruck = {
  readonly event: "restruck";
  readonly seat: number;
  readonly dice: readonly number[];
  readonly sum: number;
  readonly rerolls: number;
};

export type Retreated = {
  readonly event: "retreated";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly origin: string;
  readonly town: string;
};

export type Rewarded = {
  readonly event: "rewarded";
  readonly seat: number;
  readonly count: number;
  readonly koku: number;
  readonly province: string;
};

export type Stayed = { readonly event: "stayed"; readonly seat: number; readonly town: string; };

export type Storm = {
  readonly event: "storm";
  readonly seat: number;
  readonly weather: "sun" | "rain" | "storm";
  readonly die: number;
};

export type Struck = {
  readonly event: "struck";
  readonly seat: number;
  readonly dice: readonly number[];
  readonly sum: number;
  readonly rerolls: number;
};

export type Sunk = {
  readonly event: "sunk";
  readonly seat: number;
  readonly other: number;
  readonly town: string;
  readonly count: number;
};

export type Supported = {
  readonly event: "supported";
  readonly seat: number;
  readonly piece: "archer" | "spear" | "sword" | "capital";
  readonly origin: string;
  readonly koku: number;
  readonly province: string;
};

export type Taxed = {
  readonly event: "taxed";
  readonly seat: number;
  readonly province: string;
  readonly koku: number;
};

export type Thrown = {
  readonly event: "thrown";
  readonly seat: number;
  readonly weather: "sun" | "rain" | "storm";
  readonly die: number;
  readonly needs: number;
};

export type Trampled = {
  readonly event: "trampled";
  readonly seat: number;
  readonly province: string;
  readonly towns: readonly string[];
};

export type TurnBegan = {
  readonly event: "turn_began";
  readonly seat: number;
  readonly round: number;
  readonly actions: number;
};

export type Weathered = {
  readonly event: "weathered";
  readonly seat: number;
  readonly weather: "sun" | "rain" | "storm";
};

export type Won = {
  readonly event: "won";
  readonly seat: number;
  readonly total: number;
  readonly other: number;
  readonly against: number;
  readonly town: string;
};

/** What happened, as data. */
export type Event = Attacked | Began | Built | CapitalFell | CapitalHit | Captured | Completed | Conquered | Counted | Declared | Dismissed | Failed | Forged | Fulfilled | GameDrawn | GameWon | Levied | Lost | Moved | Opened | Passed | Placed | Razed | Recovered | Removed | Restruck | Retreated | Rewarded | Stayed | Storm | Struck | Sunk | Supported | Taxed | Thrown | Trampled | TurnBegan | Weathered | Won;

/** The chances of an attack: `helped` has a row for each number of the attacker's supporters and
    a column for each of the defender's. */
export type AttackOdds = {
  readonly type: "attack";
  readonly cases: readonly InWeather[];
  readonly arrives: number;
  readonly wins: number;
  readonly origin: string;
  readonly town: string;
  readonly approach: Approach;
  readonly helped: readonly (readonly number[])[];
};

/** An attack in one weather: chances of the weather, of arriving, of winning then. */
export type InWeather = {
  readonly weather: Weather;
  readonly chance: number;
  readonly arrives: number;
  readonly attack: number;
  readonly defence: number;
  readonly wins: number;
};

/** What the weather die shows (Rule: tokugawa 1.3). */
export type Weather = "rain" | "storm" | "sun";

/** How an attacker comes (Rule: tokugawa 7.1). */
export type Approach = "road" | "sea";

/** The chances of a move to an empty town. */
export type MoveOdds = {
  readonly type: "move";
  readonly origin: string;
  readonly town: string;
  readonly ways: readonly WayOdds[];
};

/** A way of a move, and how likely it succeeds. */
export type WayOdds = { readonly way: Way; readonly arrives: number; };

/** Over what a samurai moves; archers go over any one terrain, `land` (Rule: tokugawa 6.2). */
export type Way = "forest" | "land" | "mountain" | "plain" | "sea";

/** The attacker's side and the defender's, and the attacker's chance; where a seat may throw
    again, also with its dice as they are and with a new throw. */
export type BattleOdds = {
  readonly sides: readonly BattleSide[];
  readonly wins?: number | null;
  readonly stands?: number | null;
  readonly again?: number | null;
};

/** A side of a battle: what it adds to its dice, the dice, and the total. */
export type BattleSide = {
  readonly seat: number;
  readonly adds: number;
  readonly dice: readonly number[];
  readonly total: number;
};

export type Answers = { readonly odds: AttackOdds | MoveOdds; readonly battle: BattleOdds; };
