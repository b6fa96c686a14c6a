// Checks whether the connection is alive. A socket may stay open after frames have stopped, and a
// script cannot send WebSocket pings: the page sends a query when no frame has come for long, or
// when a line waits.

import type { Ask } from "../protocol/messages.gen.ts";
import { type Liveness, PATIENCE_MS } from "./livenessData.ts";
import type { State } from "./state.ts";

/** The longest time without a frame before a ping, and the longest time for its answer. */
const QUIET_MS = 15_000;
const ANSWER_MS = 8_000;
/** The same while a line waits: with `PATIENCE_MS` and the time between two checks below 3 s. */
const QUIET_LINE_MS = 750;
/** An answer within the patience divided by this shows that the network is not slow. */
const QUICK_FRACTION = 3;

/** The query that costs a server least. */
export const PING: Ask["what"] = "ping";

/** A frame was received, or the socket was opened. */
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

/** No answer in time: on a slow network the next answer gets more time. */
export function pingMissed(liveness: Liveness): Liveness {
  const patience = Math.min(ANSWER_MS, liveness.patience * 2);
  return { ...liveness, pingedAt: undefined, doubted: false, patience };
}

/** When the oldest waiting line was sent. */
function waitsSince(state: State): number | undefined {
  const since = Object.values(state.inputs).flatMap(({ pending }) => pending?.since ?? []);
  return since.length === 0 ? undefined : Math.min(...since);
}

/** The action that is due: send a ping, or give the connection up. */
export function dueAction(state: State, now: number): "ask" | "give up" | undefined {
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
