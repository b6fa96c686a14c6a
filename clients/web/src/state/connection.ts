// The connection: opened, lost, come back to; and the frames that come over it.

import type { ServerMessage } from "../protocol/messages.ts";
import * as sessions from "../sdk/session.ts";
import type { Context, Effect, Stepped } from "./events.ts";
import { sending } from "./lineSubmit.ts";
import { due, felt, PING, stopped } from "./liveness.ts";
import { ask, inTurn } from "./queries.ts";
import { heard } from "./serverEvents.ts";
import type { Place, State } from "./state.ts";

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/** Closed because the same person connected too often elsewhere: coming back would push that out. */
const REPLACED = 4001;

/** What browsers say where a connection ends without a word. */
const DEAD = 1006;

/** The first thing that a page does. */
export function begin(state: State): Stepped<State> {
  const [after, effects] = learn(state, state.place);
  const learned: readonly Effect[] = [{ type: "learn", what: "games" }, ...effects];
  if (state.session.hello.token == null) return [after, learned];
  const [linked, more] = call(after);
  return [linked, [...learned, ...more]];
}

/** What a landing page shows before anybody has a name. */
export function learn(state: State, place: Place): Stepped<State> {
  if (place.at === "invite") return [state, [{ type: "learn", what: "invite", of: place.token }]];
  if (place.at === "room") return [state, [{ type: "learn", what: "room", of: place.id }]];
  if (place.at === "game") return [state, [{ type: "learn", what: "game", of: place.id }]];
  return [state, []];
}

/** Call the server. */
export function call(state: State): Stepped<State> {
  return [{ ...state, link: { phase: "connecting", attempt: 0 } }, [{ type: "connect" }]];
}

/** Make sure that we are connected under the name in the field. */
export function introduce(state: State): Stepped<State> {
  if (state.session.welcomed || state.link.phase === "connecting") return [state, []];
  const { hello } = state.session;
  const entry = state.entry ? { password: state.entry } : {};
  const named = hello.token == null ? { ...hello, name: state.name.trim(), ...entry } : hello;
  return call({ ...state, session: { ...state.session, hello: named } });
}

/** The socket is open: say hello, with the token that another tab may have got meanwhile. */
export function connected(state: State, token: string | undefined): Stepped<State> {
  const step = sessions.connected(state.session, token);
  const pulse = felt(state.pulse, state.now);
  return [{ ...state, session: step.session, goodbye: undefined, pulse }, sending(step.send)];
}

/** A frame has come. */
export function frame(state: State, message: ServerMessage, context: Context): Stepped<State> {
  const alive = { ...state, pulse: felt(state.pulse, context.now) };
  return stepped(alive, sessions.receive(state.session, message), context);
}

/** Ask for a sign of life, or give up a connection that has given none. */
export function feel(state: State, context: Context): Stepped<State> {
  switch (due(state, context.now)) {
    case "ask":
      return ping(state);
    case "give up": {
      const stale = { ...state, pulse: stopped(state.pulse) };
      const [after, effects] = closed(stale, DEAD, partOf(context.fresh), context);
      return [after, [{ type: "disconnect" }, ...effects]];
    }
    default:
      return [state, []];
  }
}

/** The browser says that the network is gone. It may be wrong: the server may be on this machine. */
export function offline(state: State): Stepped<State> {
  const doubted = { ...state, pulse: { ...state.pulse, doubted: true } };
  if (!state.session.welcomed || state.pulse.asked !== undefined) return [doubted, []];
  return ping(doubted);
}

function ping(state: State): Stepped<State> {
  const asking = { ...state, pulse: { ...state.pulse, asked: state.now } };
  return ask(asking, PING, {}, { about: "pulse" });
}

/** A number from 0 to 1 out of random hex. */
function partOf(fresh: string): number {
  const digits = fresh.slice(0, 4);
  return Number.parseInt(digits, 16) / 16 ** digits.length;
}

/** Time to say again what came too fast. */
export function goOn(state: State, context: Context): Stepped<State> {
  if (state.session.slowed === 0) return [state, []];
  return stepped(state, sessions.goOn(state.session), context);
}

function stepped(state: State, step: sessions.Step, context: Context): Stepped<State> {
  const [after, effects] = inTurn(
    { ...state, session: step.session },
    ...step.happened.map((happening) => (now: State) => heard(now, happening, context)),
  );
  return [after, [...sending(step.send), ...effects]];
}

/** The socket is closed: come back, if that makes sense. */
export function closed(
  state: State,
  code: number,
  jitter: number,
  context: Context,
): Stepped<State> {
  const { link, goodbye } = state;
  if (link.phase === "off" || link.phase === "ended") return [state, []];
  // Whether that connection lives is not asked any more.
  const asked = Object.entries(state.asked).filter(([, { about }]) => about !== "pulse");
  const after: State = {
    ...state,
    session: sessions.lost(state.session),
    asked: Object.fromEntries(asked),
    pulse: { ...state.pulse, heard: 0, asked: undefined, doubted: false },
  };
  if (code === REPLACED || (goodbye !== undefined && goodbye.retryMs === undefined)) {
    return [{ ...after, link: { phase: "ended", text: goodbye?.text ?? "" } }, []];
  }
  const attempt = link.phase === "open" ? 0 : link.attempt;
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  const ms = Math.round((whole * (1 + jitter)) / 2 + (goodbye?.retryMs ?? 0));
  const waiting = { phase: "waiting", attempt: attempt + 1, until: context.now + ms } as const;
  return [
    { ...after, link: waiting, goodbye: undefined },
    [{ type: "wait", timer: "reconnect", ms }],
  ];
}

/** The wait is over. */
export function comeBack(state: State): Stepped<State> {
  if (state.link.phase !== "waiting") return [state, []];
  const { attempt } = state.link;
  return [{ ...state, link: { phase: "connecting", attempt } }, [{ type: "connect" }]];
}
