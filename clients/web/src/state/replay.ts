// Going through a game step by step: one that runs, as my seat saw it, or a finished one with all
// its secrets. The server plays it again; what has come is kept, so that going back asks nothing.

import type { AnyEvent } from "../board/contract.ts";
import type { View } from "../sdk/mirror.ts";
import { apply } from "../sdk/patch.ts";
import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";

/** A game at one step. */
export interface Moment {
  readonly version: number;
  /** When it was, ms since 1970; 0 where nobody knows. */
  readonly at: number;
  readonly view: View;
  readonly events: readonly AnyEvent[];
  readonly text: readonly string[];
}

export interface Replay {
  /** The id of the game, once it is known. */
  readonly id: string;
  readonly game: string;
  readonly hash: string;
  /** The seats whose secrets the views show. */
  readonly eyes: readonly number[];
  /** The number of the last step. */
  readonly steps: number;
  readonly moments: Readonly<Record<number, Moment>>;
  /** The step that is wanted, and the one that is drawn: the same, once it has come. */
  readonly at: number;
  readonly shown: number;
  /** The step that the server has been asked for. */
  readonly asking: number | undefined;
  readonly refused: string | undefined;
  readonly playing: boolean;
  /** Whose hand is looked at where all are open. */
  readonly seat: number | undefined;
}

/** Nothing has come yet. `at` may be beyond the end: it is brought back when the end is known. */
export function newReplay(at: number): Replay {
  return {
    id: "",
    game: "",
    hash: "",
    eyes: [],
    steps: at,
    moments: {},
    at,
    shown: at,
    asking: undefined,
    refused: undefined,
    playing: false,
    seat: undefined,
  };
}

/** So many steps before the one that is wanted are asked for too: people go back and forth. */
const BEFORE = 20;
/** So near to the end of what has come, more is asked for. */
const AHEAD = 20;

/** The step from which the server is to be asked now; undefined while nothing is missing. */
export function missingFrom(replay: Replay): number | undefined {
  const { at, steps, moments, asking, refused } = replay;
  if (asking !== undefined || refused !== undefined) return undefined;
  if (moments[at] === undefined) {
    // Going forward the steps before are there; from elsewhere a few of them come along.
    if (moments[at - 1] !== undefined || moments[at + 1] === undefined) return at;
    return Math.max(0, at - BEFORE);
  }
  for (let step = at + 1; step <= Math.min(at + AHEAD, steps); step += 1) {
    if (moments[step] === undefined) return step;
  }
  return undefined;
}

/** Another step is wanted. */
export function withStep(replay: Replay, to: number): Replay {
  const at = Math.max(0, to);
  const shown = replay.moments[at] === undefined ? replay.shown : at;
  return { ...replay, at, shown, refused: undefined };
}

/** A page of the game has come. */
export function appendSteps(replay: Replay, body: Branch): Replay {
  const page = read(body);
  if (page === undefined) return { ...replay, asking: undefined };
  const { id, game, hash, eyes, steps, from } = page;
  const same = replay.id === id && String(replay.eyes) === String(eyes);
  const moments: Record<number, Moment> = same ? { ...replay.moments } : {};
  page.moments.forEach((moment, index) => {
    moments[from + index] = moment;
  });
  // What is not there stands for the nearest.
  const at = Math.min(replay.at, steps);
  const reached = moments[at] !== undefined;
  const shown = reached ? at : moments[replay.shown] === undefined ? from : replay.shown;
  const playing = replay.playing && at < steps;
  return { ...replay, id, game, hash, eyes, steps, moments, at, shown, playing, asking: undefined };
}

/** One step on, by itself; undefined: it has come to its end. */
export function nextAutoStep(replay: Replay): Replay | undefined {
  if (!replay.playing || replay.at >= replay.steps) return undefined;
  // What is still on its way is waited for.
  return replay.at === replay.shown ? withStep(replay, replay.at + 1) : replay;
}

interface Page {
  readonly id: string;
  readonly game: string;
  readonly hash: string;
  readonly eyes: readonly number[];
  readonly steps: number;
  readonly from: number;
  readonly moments: readonly Moment[];
}

function read(body: Branch): Page | undefined {
  const { view, then } = body;
  if (!isBranch(view)) return undefined;
  const first = momentOf(body, view);
  const moments = [first];
  let now: Branch = view;
  for (const step of Array.isArray(then) ? then : []) {
    if (!isBranch(step)) return undefined;
    const next = apply(isBranch(step.patch) ? step.patch : {}, now);
    if (!isBranch(next)) return undefined;
    now = next;
    moments.push(momentOf(step, now));
  }
  return {
    id: String(body.id ?? ""),
    game: String(body.game ?? ""),
    hash: String(body.hash ?? ""),
    eyes: numbers(body.eyes),
    steps: Number(body.steps ?? 0),
    from: Number(body.from ?? 0),
    moments,
  };
}

function momentOf(step: Branch, view: Branch): Moment {
  const events = Array.isArray(step.events) ? step.events.filter(isBranch) : [];
  return {
    version: Number(step.version ?? 0),
    at: Number(step.at ?? 0),
    view: view as View,
    events: events as readonly unknown[] as readonly AnyEvent[],
    text: Array.isArray(step.text) ? step.text.map(String) : [],
  };
}

function numbers(tree: Tree | undefined): readonly number[] {
  return Array.isArray(tree) ? tree.map(Number) : [];
}
