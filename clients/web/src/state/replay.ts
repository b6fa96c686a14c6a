// Replays: a running game, as my seat saw it, or a finished one with all its secrets. The server
// replays the game; received moments are cached, so that going back sends no query.

import type { AnyEvent } from "../board/contract.ts";
import type { ReplayPage, ReplayStep } from "../protocol/answers.gen.ts";
import type { View } from "../sdk/mirror.ts";
import { apply } from "../sdk/patch.ts";
import type { Branch } from "../sdk/tree.ts";

/** A game at one step. */
export interface Moment {
  readonly version: number;
  /** When it happened, ms since 1970; 0 if unknown. */
  readonly at: number;
  readonly view: View;
  readonly events: readonly AnyEvent[];
  readonly text: readonly string[];
}

export interface Replay {
  /** The id of the game; empty until the first answer. */
  readonly id: string;
  readonly game: string;
  readonly hash: string;
  /** The seats whose secrets the views show. */
  readonly eyes: readonly number[];
  /** The number of the last step. */
  readonly steps: number;
  readonly moments: Readonly<Record<number, Moment>>;
  /** The selected step, and the drawn one: equal once the selected moment has arrived. */
  readonly at: number;
  readonly shown: number;
  /** The step that the server was asked for. */
  readonly asking: number | undefined;
  readonly refused: string | undefined;
  readonly playing: boolean;
  /** Steps of autoplay, as a multiple of the usual pace. */
  readonly speed: number;
  /** The seat whose hand is shown when all are open. */
  readonly seat: number | undefined;
}

/** Before the first answer. `at` may be beyond the end: it is corrected when the end is known. */
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
    speed: 1,
    seat: undefined,
  };
}

/** The number of steps before the selected one that are requested too: people go back and forth. */
const BEFORE = 20;
/** More moments are requested when this few steps are left ahead. */
const AHEAD = 20;

/** The step from which to request moments now; undefined while none is missing. */
export function missingFrom(replay: Replay): number | undefined {
  const { at, steps, moments, asking, refused } = replay;
  if (asking !== undefined || refused !== undefined) return undefined;
  if (moments[at] === undefined) {
    // Going forward the steps before are here; from elsewhere a few of them are requested as well.
    if (moments[at - 1] !== undefined || moments[at + 1] === undefined) return at;
    return Math.max(0, at - BEFORE);
  }
  for (let step = at + 1; step <= Math.min(at + AHEAD, steps); step += 1) {
    if (moments[step] === undefined) return step;
  }
  return undefined;
}

/** Select another step. */
export function withStep(replay: Replay, to: number): Replay {
  const at = Math.max(0, to);
  const shown = replay.moments[at] === undefined ? replay.shown : at;
  return { ...replay, at, shown, refused: undefined };
}

/** Append a page of moments. */
export function appendSteps(replay: Replay, body: Branch): Replay {
  const page = body as unknown as ReplayPage;
  const { id, game, hash, eyes, steps, from, then } = page;
  const same = replay.id === id && String(replay.eyes) === String(eyes);
  const moments: Record<number, Moment> = same ? { ...replay.moments } : {};
  let view = page.view as Branch;
  moments[from] = momentOf(page, view);
  then.forEach((step, index) => {
    view = apply(step.patch as Branch, view) as Branch;
    moments[from + index + 1] = momentOf(step, view);
  });
  // A step beyond the end becomes the last one.
  const at = Math.min(replay.at, steps);
  const reached = moments[at] !== undefined;
  const shown = reached ? at : moments[replay.shown] === undefined ? from : replay.shown;
  const playing = replay.playing && at < steps;
  return { ...replay, id, game, hash, eyes, steps, moments, at, shown, playing, asking: undefined };
}

function momentOf(step: ReplayPage | ReplayStep, view: Branch): Moment {
  const { version, at, events, text } = step;
  return {
    version,
    at,
    view: view as View,
    events: events as readonly unknown[] as readonly AnyEvent[],
    text,
  };
}

/** One step further in autoplay; undefined at the end. */
export function nextAutoStep(replay: Replay): Replay | undefined {
  if (!replay.playing || replay.at >= replay.steps) return undefined;
  // Autoplay waits for a moment that has not arrived.
  return replay.at === replay.shown ? withStep(replay, replay.at + 1) : replay;
}
