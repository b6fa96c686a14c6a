// The lines of a log by turns: what one seat does, with what follows from it, is one block.

import type { LogLine } from "../state/state.ts";

/** Sentences that were announced together: the first one is what was done. */
export type Action = readonly LogLine[];

export type LogBlock =
  /** Talk, an answer, a typed line. */
  | { readonly kind: "single"; readonly line: LogLine }
  /** The beginning of a round. */
  | { readonly kind: "heading"; readonly line: LogLine }
  /** A turn of a seat; without one what happened to the room. */
  | {
      readonly kind: "turn";
      readonly seat: number | undefined;
      readonly actions: readonly Action[];
    };

/** Events with a seat that are no turn of it. */
const OF_THE_ROOM: readonly string[] = ["joined", "left", "vacated"];

const nameOf = ({ event }: LogLine): string => event?.event ?? "";

function seatOf(line: LogLine): number | undefined {
  return OF_THE_ROOM.includes(nameOf(line)) ? undefined : line.seat;
}

/** Whether a sentence belongs to the block before it, whose last sentence is given. */
function continues(line: LogLine, seat: number | undefined, last: LogLine): boolean {
  if (nameOf(line) === "turn_began") return false;
  if (seatOf(line) === seat) return true;
  return seat !== undefined && line.version === last.version;
}

/** The piece that goes a step. */
const pieceOf = (line: LogLine): unknown =>
  nameOf(line) === "stepped" && (line.event as { readonly card?: unknown }).card;

/** The actions with one more line: of the steps that a piece goes in a row the last one is told. */
function extended(actions: readonly Action[], line: LogLine, last: LogLine): readonly Action[] {
  const before = actions.slice(0, -1);
  const action = actions.at(-1) ?? [];
  if (line.version === last.version) return [...before, [...action, line]];
  const isNextStep = action.length < 2 && pieceOf(line) && pieceOf(line) === pieceOf(last);
  return [...(isNextStep ? before : actions), [line]];
}

export function blocksOf(lines: readonly LogLine[]): readonly LogBlock[] {
  const blocks: LogBlock[] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const last = block?.kind === "turn" ? block.actions.at(-1)?.at(-1) : undefined;
    if (line.kind !== "event") blocks.push({ kind: "single", line });
    else if (nameOf(line) === "round_began") blocks.push({ kind: "heading", line });
    else if (block?.kind === "turn" && last !== undefined && continues(line, block.seat, last)) {
      blocks[blocks.length - 1] = { ...block, actions: extended(block.actions, line, last) };
    } else blocks.push({ kind: "turn", seat: seatOf(line), actions: [[line]] });
  }
  return blocks;
}

/** The key of a block: that of its first line. */
export function blockKey(block: LogBlock): string {
  return (block.kind === "turn" ? block.actions[0]?.[0] : block.line)?.key ?? "";
}

/** The name with which a sentence begins, and the rest of it. */
export function nameFirst(text: string, name: string | undefined): readonly [string, string] {
  return name !== undefined && name !== "" && text.startsWith(name)
    ? [name, text.slice(name.length)]
    : ["", text];
}
