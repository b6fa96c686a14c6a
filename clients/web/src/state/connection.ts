// The connection: opened, lost, resumed; and the frames received on it.

import type { ServerMessage } from "../protocol/messages.gen.ts";
import * as sessions from "../sdk/session.ts";
import type { Context, Effect, StepResult } from "./events.ts";
import { sendEffects } from "./lineSubmit.ts";
import { dueAction, frameReceived, PING, pingMissed } from "./liveness.ts";
import { ask, inSequence } from "./queries.ts";
import { serverEvent } from "./serverEvents.ts";
import type { Address, State } from "./state.ts";

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/**
 * Closed because the same person opened too many connections: reconnecting would close another one.
 */
const REPLACED = 4001;

/** The code with which browsers report a connection that ended without a close frame. */
const DEAD = 1006;

/** The first effects of a page. */
export function begin(state: State): StepResult<State> {
  const [after, effects] = requestLinkInfo(state, state.address);
  const learned: readonly Effect[] = [{ type: "fetch", what: "games" }, ...effects];
  if (state.session.hello.token == null) return [after, learned];
  const [linked, more] = connect(after);
  return [linked, [...learned, ...more]];
}

/** The public facts that a landing page shows before the person has a name. */
export function requestLinkInfo(state: State, address: Address): StepResult<State> {
  if (address.at === "invite")
    return [state, [{ type: "fetch", what: "invite", of: address.token }]];
  if (address.at === "room") return [state, [{ type: "fetch", what: "room", of: address.id }]];
  if (address.at === "game") return [state, [{ type: "fetch", what: "game", of: address.id }]];
  return [state, []];
}

/** Open the connection. */
export function connect(state: State): StepResult<State> {
  return [{ ...state, link: { phase: "connecting", attempt: 0 } }, [{ type: "connect" }]];
}

/** Ensure a connection under the name in the field. */
export function signIn(state: State): StepResult<State> {
  if (state.session.welcomed || state.link.phase === "connecting") return [state, []];
  const { hello } = state.session;
  const entry = state.entry ? { password: state.entry } : {};
  const named = hello.token == null ? { ...hello, name: state.name.trim(), ...entry } : hello;
  return connect({ ...state, session: { ...state.session, hello: named } });
}

/** The socket is open: send `hello`, with the token that another tab may have stored meanwhile. */
export function connected(state: State, token: string | undefined): StepResult<State> {
  const step = sessions.connected(state.session, token);
  const liveness = frameReceived(state.liveness, state.now);
  return [
    { ...state, session: step.session, goodbye: undefined, liveness },
    sendEffects(step.send),
  ];
}

/** A frame was received. */
export function frame(state: State, message: ServerMessage, context: Context): StepResult<State> {
  const alive = { ...state, liveness: frameReceived(state.liveness, context.now) };
  return applySessionStep(alive, sessions.receive(state.session, message), context);
}

/** Send a ping, or give up a connection that has not answered one. */
export function checkLiveness(state: State, context: Context): StepResult<State> {
  switch (dueAction(state, context.now)) {
    case "ask":
      return ping(state);
    case "give up": {
      const stale = { ...state, liveness: pingMissed(state.liveness) };
      const [after, effects] = closed(stale, DEAD, fractionOf(context.fresh), context);
      return [after, [{ type: "disconnect" }, ...effects]];
    }
    default:
      return [state, []];
  }
}

/**
 * The browser reports that there is no network. It may be wrong: the server may be on this machine.
 */
export function offline(state: State): StepResult<State> {
  const doubted = { ...state, liveness: { ...state.liveness, doubted: true } };
  if (!state.session.welcomed || state.liveness.pingedAt !== undefined) return [doubted, []];
  return ping(doubted);
}

function ping(state: State): StepResult<State> {
  const asking = { ...state, liveness: { ...state.liveness, pingedAt: state.now } };
  return ask(asking, PING, {}, { about: "pulse" });
}

/** A number from 0 to 1 out of random hex. */
function fractionOf(fresh: string): number {
  const digits = fresh.slice(0, 4);
  return Number.parseInt(digits, 16) / 16 ** digits.length;
}

/** Resend what was refused as too fast. */
export function resumeSending(state: State, context: Context): StepResult<State> {
  if (state.session.slowed === 0) return [state, []];
  return applySessionStep(state, sessions.resumeSending(state.session), context);
}

function applySessionStep(state: State, step: sessions.Step, context: Context): StepResult<State> {
  const [after, effects] = inSequence(
    { ...state, session: step.session },
    ...step.happened.map((clientEvent) => (now: State) => serverEvent(now, clientEvent, context)),
  );
  return [after, [...sendEffects(step.send), ...effects]];
}

/** The socket was closed: reconnect, unless that is useless. */
export function closed(
  state: State,
  code: number,
  jitter: number,
  context: Context,
): StepResult<State> {
  const { link, goodbye } = state;
  if (link.phase === "off" || link.phase === "ended") return [state, []];
  // A ping belonged to that connection.
  const remaining = Object.entries(state.pendingQueries).filter(
    ([, { about }]) => about !== "pulse",
  );
  const after: State = {
    ...state,
    session: sessions.connectionLost(state.session),
    pendingQueries: Object.fromEntries(remaining),
    liveness: { ...state.liveness, lastFrameAt: 0, pingedAt: undefined, doubted: false },
  };
  if (code === REPLACED || (goodbye !== undefined && goodbye.retryMs === undefined)) {
    return [{ ...after, link: { phase: "ended", text: goodbye?.text ?? "" } }, []];
  }
  const attempt = link.phase === "open" ? 0 : link.attempt;
  const fullDelay = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  const pause = (fullDelay * (1 + jitter)) / 2;
  // Who is to come back at once finds another node: this one gives its rooms away.
  const atOnce = goodbye?.retryMs === 0 && attempt === 0;
  const ms = atOnce ? 0 : Math.round(pause + (goodbye?.retryMs ?? 0));
  const waiting = { phase: "waiting", attempt: attempt + 1, until: context.now + ms } as const;
  return [
    { ...after, link: waiting, goodbye: undefined },
    [{ type: "wait", timer: "reconnect", ms }],
  ];
}

/** The wait before reconnecting is over. */
export function reconnect(state: State): StepResult<State> {
  if (state.link.phase !== "waiting") return [state, []];
  const { attempt } = state.link;
  return [{ ...state, link: { phase: "connecting", attempt } }, [{ type: "connect" }]];
}
