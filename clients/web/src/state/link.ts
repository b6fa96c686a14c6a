// The connection: opened, lost, come back to; and the frames that come over it.

import type { ServerMessage } from "../protocol/messages.ts";
import * as sessions from "../sdk/session.ts";
import { inTurn } from "./asking.ts";
import type { Context, Effect, Stepped } from "./events.ts";
import { heard } from "./heard.ts";
import { sending } from "./saying.ts";
import type { Place, State } from "./state.ts";

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/** Closed because the same person connected too often elsewhere: coming back would push that out. */
const REPLACED = 4001;

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
  return [{ ...state, session: step.session, goodbye: undefined }, sending(step.send)];
}

/** A frame has come. */
export function frame(state: State, message: ServerMessage, context: Context): Stepped<State> {
  return stepped(state, sessions.receive(state.session, message), context);
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
  const after: State = { ...state, session: sessions.lost(state.session) };
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
