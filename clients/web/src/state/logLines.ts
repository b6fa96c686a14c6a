// Converts the server's texts and events to the lines of a log.

import type { AnyEvent } from "../board/contract.ts";
import type { Logged } from "../protocol/messages.gen.ts";
import type { Branch } from "../sdk/tree.ts";
import type { LineInput, LogLine } from "./state.ts";

/** A longer log is cut at its old end, by many lines at once. */
const LINES_MAX = 600;
const LINES_AFTER_CUT = 400;
/** A longer log is cut even while its middle is read. */
const LINES_READ_MAX = 3000;

interface TalkEvent extends AnyEvent {
  readonly event: "said";
  readonly name: string;
  readonly text: string;
}

function isTalkEvent(event: AnyEvent): event is TalkEvent {
  return event.event === "said";
}

/** A sentence without the game's id, which is nothing to read. */
function withoutId(text: string, event: AnyEvent): string {
  const id = (event as { readonly game_id?: unknown }).game_id;
  return typeof id === "string" ? text.replace(id, "").replaceAll("  ", " ") : text;
}

/**
 * The lines that are read: a sent line stands above the answer to it only, as the sentences of the
 * game say what the other lines did. Of the lines `before`, whose middle is being read, those that
 * were cut since stay above them.
 */
export function readableLines(
  log: readonly LogLine[],
  before: readonly LogLine[] = [],
): readonly LogLine[] {
  const lines = log.filter((line, at) => line.kind !== "sent" || log[at + 1]?.kind === "note");
  const cutAt = before.findIndex(({ key }) => key === lines[0]?.key);
  return [...before.slice(0, Math.max(0, cutAt)), ...lines].slice(-LINES_READ_MAX);
}

/** A sentence with its event, if the event is available. */
function lineOf(
  key: string,
  version: number,
  at: number,
  text: string,
  event: AnyEvent | undefined,
): LogLine {
  if (event === undefined) return { key, kind: "event", version, at, text };
  if (isTalkEvent(event)) {
    return { key, kind: "talk", version, at, text: event.text, name: event.name, event };
  }
  const seat = (event as { readonly seat?: unknown }).seat;
  const line: LogLine = { key, kind: "event", version, at, text: withoutId(text, event), event };
  return typeof seat === "number" ? { ...line, seat } : line;
}

/** The result itself shows how the game ended, and the ranks; the coach says the step of a lesson. */
function isShown({ event }: LogLine): boolean {
  return !["game_ended", "ranked", "lesson_step"].includes(event?.event ?? "");
}

/** Merges the log's own lines with a snapshot's, which replace those of the same versions. */
export function mergedLog(input: LineInput, logged: readonly Logged[]): readonly LogLine[] {
  const first = logged[0]?.version ?? Number.POSITIVE_INFINITY;
  const serverLines = logged.map((entry, at) =>
    lineOf(
      `${entry.version}.${at}`,
      entry.version,
      entry.at,
      entry.text,
      (entry.event ?? undefined) as AnyEvent | undefined,
    ),
  );
  const local = input.log.filter(
    (line) => line.kind === "note" || line.kind === "sent" || line.version < first,
  );
  // A line of the page was typed after the sentences of its version.
  return [...serverLines.filter(isShown), ...local].toSorted((a, b) => a.version - b.version);
}

/** The log after an update. Sentences and events correspond one to one. */
export function updatedLog(
  input: LineInput,
  version: number,
  at: number,
  text: readonly string[],
  events: readonly Branch[],
): readonly LogLine[] {
  const paired = text.length === events.length;
  const lines = text.map((sentence, index) =>
    lineOf(
      `${version}.${index}`,
      version,
      at,
      sentence,
      paired ? (events[index] as AnyEvent | undefined) : undefined,
    ),
  );
  return cut([...input.log, ...lines.filter(isShown)]);
}

/** The log with a line of the page. */
export function withLine(input: LineInput, line: Omit<LogLine, "key">): LineInput {
  const lines = input.lines + 1;
  return { ...input, lines, log: cut([...input.log, { ...line, key: `own${lines}` }]) };
}

function cut(log: readonly LogLine[]): readonly LogLine[] {
  return log.length > LINES_MAX ? log.slice(-LINES_AFTER_CUT) : log;
}
