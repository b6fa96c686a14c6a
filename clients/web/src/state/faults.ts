// Errors thrown by `step` or a view: which state stays valid, what is requested again, what a
// report contains.

import type { ServerMessage } from "../protocol/messages.gen.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import { MirrorError } from "../sdk/mirror.ts";
import { BadPatch } from "../sdk/patch.ts";
import * as sessions from "../sdk/session.ts";
import type { Context, Effect, Event, StepResult } from "./events.ts";
import { sendEffects } from "./lineSubmit.ts";
import { requestLobbyPage } from "./queries.ts";
import { AGENT, type Fault, LOBBY, type State } from "./state.ts";
import { step } from "./step.ts";

/** The number of events in a report. */
const TRAIL_MAX = 200;
const FRAMES_MAX = 8;

/**
 * `step` with its errors caught.
 *
 * A frame that throws marks its room as out of sync, and a snapshot is requested. At the second one
 * of a room, and at an error in any other event, the error is reported to the person.
 */
export function guardedStep(state: State, event: Event, context: Context): StepResult<State> {
  const trail = [...state.trail, nameOf(event)].slice(-TRAIL_MAX);
  const traced = { ...state, trail };
  try {
    return step(traced, event, context);
  } catch (error) {
    const fault = { where: nameOf(event), why: whyOf(error) };
    const log: Effect = { type: "log", text: `${fault.where}: ${fault.why}` };
    if (event.type !== "frame") return [{ ...traced, fault }, [log]];
    const [after, effects] = badFrame(traced, event, context, error, fault);
    return [after, [log, ...effects]];
  }
}

function badFrame(
  state: State,
  event: Extract<Event, { type: "frame" }>,
  context: Context,
  error: unknown,
  fault: Fault,
): StepResult<State> {
  const { message } = event;
  const key = inputKeyOfFrame(state, message);
  if (key === undefined) return [{ ...state, fault }, []];
  const again = state.tripped.includes(key) || error instanceof MirrorError;
  const tripped = again ? state.tripped : [...state.tripped, key];
  const marked = { ...state, tripped, fault: again ? fault : state.fault };
  // After a second snapshot that throws, another one would throw as well.
  const hopeless = again && message.type !== "update";
  const [after, requests] = hopeless ? ([marked, []] as const) : requestAgain(marked, key);
  if (message.type !== "update" || message.done == null) return [after, requests];
  // The frame contains the reply to a line of mine: the room is out of sync, but the line has its
  // reply.
  const { done: id, room, version } = message;
  const done: Event = { type: "frame", message: { type: "done", id, room, version } };
  const [last, more] = guardedStep(after, done, context);
  return [last, [...requests, ...more]];
}

/** The input key of the room, or of the lobby, that a frame refers to; undefined: none. */
function inputKeyOfFrame(state: State, message: ServerMessage): string | undefined {
  if (message.type === "lobby") return LOBBY;
  if (message.type === "room") return message.id;
  const about = "room" in message ? message.room : undefined;
  return typeof about === "number" ? state.session.mirror.ids[about] : undefined;
}

/** Request all data of a room, or the lobby's page, again. */
function requestAgain(state: State, key: string): StepResult<State> {
  if (key === LOBBY) return requestLobbyPage(state);
  const request = sessions.requestSync(state.session, key as RoomId);
  return [{ ...state, session: request.session }, sendEffects(request.send)];
}

/** The kind of an event, without any typed text. */
function nameOf(event: Event): string {
  switch (event.type) {
    case "frame": {
      const { message } = event;
      const version = "version" in message ? ` ${message.version}` : "";
      return `frame ${message.type}${version}`;
    }
    case "timer":
      return `timer ${event.timer}`;
    case "closed":
      return `closed ${event.code}`;
    case "acted":
      return `acted ${event.act.act}`;
    case "panel":
      return `panel ${event.panel}`;
    case "drawing_failed":
      return `drawing_failed ${event.where}`;
    default:
      return event.type;
  }
}

/**
 * The name of an error and where it was thrown. Its message may contain talk, unless the error is
 * ours.
 */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const ours = error instanceof BadPatch || error instanceof MirrorError;
  const stack = (error.stack ?? "").split(error.message).at(-1) ?? "";
  const frames = stack
    .split("\n")
    .filter((line) => /^\s*at \S|^\S*@\S+:\d+$/.test(line))
    .slice(0, FRAMES_MAX)
    // Without the address of the server.
    .map((line) => line.trim().replaceAll(/\w+:\/\/[^/\s)]*/g, ""));
  return [ours ? `${error.name}: ${error.message}` : error.name, ...frames].join("\n");
}

/** A report for developers: no talk, no names, no tokens. */
export function reportOf(state: State): string {
  const { mirror } = state.session;
  const rooms = Object.values(mirror.rooms).map(
    ({ game, hash, version, inSync }) =>
      `room: ${game} ${hash}, version ${version}${inSync ? "" : ", out of step"}`,
  );
  return [
    `page: ${AGENT}`,
    `server: ${mirror.welcome?.server ?? "-"}`,
    `at: ${state.address.at}, ${state.link.phase}`,
    ...rooms,
    ...(state.fault === undefined ? [] : [`error: ${state.fault.where}`, state.fault.why]),
    "events:",
    ...state.trail,
  ].join("\n");
}
