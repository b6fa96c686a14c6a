// Lines: submitted, sent, replied to; and scripts, which are several lines in sequence.

import { isSecret, masked } from "../line/secretLines.ts";
import type { Reply, RoomId } from "../sdk/clientEvents.ts";
import * as sessions from "../sdk/session.ts";
import { isBranch } from "../sdk/tree.ts";
import type { Context, Effect, StepResult } from "./events.ts";
import { chosenOf, inputOf, isTalkText, roomOfInput, textsOf, withInput } from "./lineInput.ts";
import { withLine } from "./logLines.ts";
import { LOBBY, type Script, type State } from "./state.ts";

/** The number of lines in the history of the arrow keys. */
const PAST_MAX = 100;

/** A line without a reply is shown as slow after this time. */
export const SLOW_MS = 300;
/** `state.now` may be a little behind the timer's clock. */
const SLACK_MS = 20;

/**
 * Send a line. `textBefore` is restored into the input after the reply; without it a refused line
 * stays, to be corrected. With a place of the board the line is not legal, and is sent so that the
 * server says why: the input keeps its text. `at`: the version that was seen, if it is an older one.
 */
export function sendLine(
  state: State,
  key: string,
  text: string,
  context: Context,
  textBefore?: string,
  target?: string,
  at?: number,
): StepResult<State> {
  const line = text.trim();
  if (line === "") return [state, []];
  const room = roomOfInput(key);
  const mirrored = room === undefined ? undefined : state.session.mirror.rooms[room];
  // Talk is never out of date; a move is, if the seat has moved since.
  const talks = isTalkText(line);
  const judged = !talks && isPlaying(mirrored?.view);
  const step = sessions.say(state.session, line, {
    room: mirrored === undefined ? undefined : room,
    at: judged ? (at ?? mirrored?.version) : undefined,
  });
  const isWhy = target !== undefined;
  const past = isWhy || isSecret(line) ? state.past : withHistory(state.past, line);
  const input = inputOf(state, key);
  const shown =
    talks || isWhy
      ? input
      : withLine(input, {
          kind: "sent",
          version: mirrored?.version ?? 0,
          at: context.now,
          text: masked(line),
        });
  const after = withInput({ ...state, session: step.session, past }, key, {
    log: shown.log,
    lines: shown.lines,
    // What is typed next does not join talk.
    text: isWhy || talks ? (textBefore ?? "") : line,
    refusal: undefined,
    pending: { id: step.id, text: line, textBefore, since: context.now, target },
  });
  return [
    after,
    [
      ...sendEffects(step.send),
      { type: "store", key: "past", value: past },
      { type: "wait", timer: "slow", ms: SLOW_MS + SLACK_MS },
    ],
  ];
}

/** Enter: send the line of the input, or let it wait for the reply to the previous one. */
export function submitLine(state: State, key: string, context: Context): StepResult<State> {
  const input = inputOf(state, key);
  const { text, pending, queue } = input;
  if (pending === undefined) return sendLine(state, key, text, context);
  if (isTalkText(text)) {
    return [withInput(state, key, { text: "", queue: [...queue, { text, at: 0 }] }), []];
  }
  const again = text.trim() === "" || text.trim() === pending.text;
  return [again ? state : withInput(state, key, { queue: [...chosenOf(input), { text }] }), []];
}

/** A button: send its line, or let it wait as well; the input has its own text after the reply. */
export function chooseLine(
  state: State,
  key: string,
  line: string,
  context: Context,
): StepResult<State> {
  const { pending, queue } = inputOf(state, key);
  if (pending === undefined) return sendChosen(state, key, line, context);
  // A button pressed twice sends its line once.
  if ((queue.at(-1) ?? pending).text === line) return [state, []];
  // It is meant for the position that is shown now.
  const at = state.session.mirror.rooms[key]?.version ?? 0;
  return [withInput(state, key, { queue: [...queue, { text: line, at }] }), []];
}

function sendChosen(
  state: State,
  key: string,
  line: string,
  context: Context,
  at?: number,
): StepResult<State> {
  const { text } = inputOf(state, key);
  return sendLine(state, key, line, context, text === line ? "" : text, undefined, at);
}

function isPlaying(view: unknown): boolean {
  const table = isBranch(view) ? view.room : undefined;
  return isBranch(table) && table.phase === "playing";
}

function withHistory(past: readonly string[], line: string): readonly string[] {
  return [...past.filter((each) => each !== line), line].slice(-PAST_MAX);
}

/** Messages as an effect, if there are any. */
export function sendEffects(messages: sessions.Step["send"]): readonly Effect[] {
  return messages.length === 0 ? [] : [{ type: "send", messages }];
}

/** The reply to a line: the input is emptied, or the refusal is shown beside it. */
export function replied(state: State, reply: Reply, context: Context): StepResult<State> {
  const key = Object.keys(state.inputs).find(
    (each) => state.inputs[each]?.pending?.id === reply.id,
  );
  const [after, effects] =
    key === undefined ? ([state, []] as StepResult<State>) : lineAnswered(state, key, reply);
  const { script } = after;
  const [afterScript, more] =
    script?.waiting === reply.id
      ? scriptAnswered(after, script, reply, context)
      : ([after, []] as StepResult<State>);
  const [last, rest] = sendNext(afterScript, key ?? "", context);
  return [last, [...effects, ...more, ...rest]];
}

/** Send the line that waited for a reply, unless a script continues in that input. */
function sendNext(state: State, key: string, context: Context): StepResult<State> {
  const { text, pending, refusal, queue } = inputOf(state, key);
  const [next, ...rest] = queue;
  if (next === undefined || pending !== undefined) return [state, []];
  const after = withInput(state, key, { queue: rest });
  if (next.at === undefined) {
    return next.text === text ? sendLine(after, key, text, context) : sendNext(after, key, context);
  }
  const [sent, effects] = sendChosen(after, key, next.text, context, next.at);
  // The refusal of the line before it has not been read yet.
  return [withInput(sent, key, { refusal }), effects];
}

function lineAnswered(state: State, key: string, reply: Reply): StepResult<State> {
  const [after, effects] = restoreInput(state, key, reply);
  const [next, more] = enterJoinedRoom(after, key, reply);
  return [next, [...effects, ...more]];
}

/** A line has led to a room that we were in already. */
function enterJoinedRoom(state: State, key: string, reply: Reply): StepResult<State> {
  const { room } = reply;
  if (!reply.ok || room === undefined || room === key) return [state, []];
  const { address } = state;
  const there = address.at === "room" && address.id === room;
  if (there || state.session.mirror.rooms[room] === undefined) return [state, []];
  const to = { at: "room", id: room } as const;
  return [
    { ...state, address: to, about: undefined },
    [
      { type: "navigate", address: to },
      { type: "focus", on: "line" },
    ],
  ];
}

function restoreInput(state: State, key: string, reply: Reply): StepResult<State> {
  const input = inputOf(state, key);
  const { pending } = input;
  if (pending === undefined) return [state, []];
  // Newer input is kept.
  const left = isTalkText(pending.text) ? "" : pending.text;
  const textAfter = (otherwise: string): string =>
    input.text === left ? (pending.textBefore ?? otherwise) : input.text;
  if (reply.ok) {
    const room = reply.room ?? roomOfInput(key);
    const given = ROOM_PASSWORD.exec(pending.text)?.[1];
    const passwords = room && given ? { ...state.passwords, [room]: given } : state.passwords;
    const after = withInput({ ...state, passwords }, key, {
      pending: undefined,
      text: textAfter(""),
    });
    return [after, [{ type: "store", key: "texts", value: textsOf(after) }]];
  }
  const refusal = {
    code: reply.code ?? "",
    text: reply.text ?? "",
    line: isSecret(pending.text) ? "" : pending.text,
    rule: reply.rule,
    candidates: reply.candidates ?? [],
    span: unitsOf(pending.text, reply.span),
    offers: reply.offers,
    target: pending.target,
  };
  const text = textAfter(refusal.line);
  return [
    withInput(state, key, { pending: undefined, queue: chosenOf(input), refusal, text }),
    [{ type: "announce", text: refusal.text }],
  ];
}

/** A line that gives a room a password. */
const ROOM_PASSWORD = /^\/(?:(?:newroom|新部屋) \S+ \S+|password|合言葉|パスワード) (.+)/;

/** The server counts code points, the browser counts UTF-16 units. */
function unitsOf(
  text: string,
  address: readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  if (address === undefined || isSecret(text)) return undefined;
  const points = [...text];
  const before = (end: number): number => points.slice(0, end).join("").length;
  return [before(address[0]), before(address[1])];
}

/** Start a script: its first line is sent as soon as the server has welcomed us. */
export function beginScript(
  state: State,
  lines: readonly string[],
  room: RoomId | undefined,
  context: Context,
): StepResult<State> {
  const script: Script = {
    lines,
    sent: [],
    room,
    waiting: undefined,
    line: "",
    textBefore: "",
    resumesAt: undefined,
  };
  const begun = { ...state, script, toLobby: false, refused: undefined, proposal: undefined };
  return continueScript(begun, context);
}

/** Send the next line of the script, if there is one and it may be sent. */
export function continueScript(state: State, context: Context): StepResult<State> {
  const { script } = state;
  const isPaused = script?.waiting !== undefined || script?.resumesAt !== undefined;
  if (script === undefined || isPaused || !state.session.welcomed) return [state, []];
  const [line, ...rest] = script.lines;
  if (line === undefined) {
    const after: State = { ...state, script: undefined };
    return [
      inputOf(state, LOBBY).panel === "logIn" ? withInput(after, LOBBY, { panel: "none" }) : after,
      [],
    ];
  }
  const key = script.room ?? LOBBY;
  const again = line === script.line;
  const textBefore = again ? script.textBefore : inputOf(state, key).text;
  const [after, effects] = sendLine(state, key, line, context, textBefore);
  const waiting = after.inputs[key]?.pending?.id;
  const sent = again ? script.sent : [...script.sent, masked(line)];
  const next = { ...script, lines: rest, sent, waiting, line, textBefore };
  return [{ ...after, script: next }, effects];
}

function scriptAnswered(
  state: State,
  script: Script,
  reply: Reply,
  context: Context,
): StepResult<State> {
  if (!reply.ok && reply.retryMs !== undefined) {
    const { line, textBefore } = script;
    const key = script.room ?? LOBBY;
    const lines = [line, ...script.lines];
    const restored = withInput(state, key, { text: textBefore, refusal: undefined });
    const why = reply.code;
    return pausedScript({ ...restored, script: { ...script, lines, why } }, reply.retryMs, context);
  }
  if (!reply.ok) return [{ ...state, script: undefined, refused: reply.text }, []];
  const room = reply.room ?? script.room;
  return continueScript({ ...state, script: { ...script, room, waiting: undefined } }, context);
}

/** Too much at once: the script goes on by itself when the server takes lines again. */
export function pausedScript(state: State, ms: number, context: Context): StepResult<State> {
  const { script } = state;
  if (script === undefined) return [state, []];
  const paused = { ...script, waiting: undefined, resumesAt: context.now + ms };
  return [{ ...state, script: paused }, [{ type: "wait", timer: "script", ms: ms + SLACK_MS }]];
}

/** The wait is over. */
export function resumedScript(state: State): State {
  const { script } = state;
  return script === undefined ? state : { ...state, script: { ...script, resumesAt: undefined } };
}
