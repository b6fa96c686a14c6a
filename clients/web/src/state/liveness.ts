// Is the connection alive? A socket may stay open though nothing comes through it any more, and a page
// cannot ping: it asks something when nothing has come for long, or when a line waits.

import type { Ask } from "../protocol/messages.ts";
import { type Liveness, PATIENCE_MS } from "./livenessData.ts";
import type { State } from "./state.ts";

/** So long nothing may come before it is asked for, and so long the answer may take. */
const QUIET_MS = 15_000;
const ANSWER_MS = 8_000;
/** The same while a line waits: with `PATIENCE_MS` and the time between two looks below 3 s. */
const QUIET_LINE_MS = 750;
/** An answer in this part of the patience shows that the network is not a slow one. */
const QUICK_FRACTION = 3;

/** The question that costs a server least. */
export const PING: Ask["what"] = "ping";

/** Something has come, or the socket was opened. */
export function frameReceived(liveness: Liveness, now: number): Liveness {
  const { pingedAt, patience } = liveness;
  const quick = pingedAt !== undefined && now - pingedAt < PATIENCE_MS / QUICK_FRACTION;
  return {
    lastFrameAt: now,
    pingedAt: undefined,
    doubted: false,
    patience: quick ? PATIENCE_MS : patience,
  };
}

/** Nothing came in time: on a slow network the next answer is given more time. */
export function stopped(liveness: Liveness): Liveness {
  const patience = Math.min(ANSWER_MS, liveness.patience * 2);
  return { ...liveness, pingedAt: undefined, doubted: false, patience };
}

/** Since when the oldest line waits. */
function waitsSince(state: State): number | undefined {
  const since = Object.values(state.inputs).flatMap(({ pending }) => pending?.since ?? []);
  return since.length === 0 ? undefined : Math.min(...since);
}

/** What there is to do by now: ask for a sign of life, or give the connection up. */
export function due(state: State, now: number): "ask" | "give up" | undefined {
  const { liveness, link, session } = state;
  const { lastFrameAt, pingedAt, doubted, patience } = liveness;
  if (link.phase !== "open" && (link.phase !== "connecting" || lastFrameAt === 0)) return undefined;
  if (!session.welcomed) return now >= lastFrameAt + ANSWER_MS ? "give up" : undefined;
  const since = waitsSince(state);
  const waits = since === undefined ? undefined : Math.max(lastFrameAt, since) + QUIET_LINE_MS;
  if (pingedAt === undefined) {
    return now >= Math.min(lastFrameAt + QUIET_MS, waits ?? now + 1) ? "ask" : undefined;
  }
  const pressing = doubted ? pingedAt : waits;
  const late = pressing === undefined ? undefined : Math.max(pingedAt, pressing) + patience;
  return now >= Math.min(pingedAt + ANSWER_MS, late ?? now + 1) ? "give up" : undefined;
}
