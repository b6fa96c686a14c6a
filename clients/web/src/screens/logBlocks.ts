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
const OF_THE_ROOM: ReadonlySet<string> = new Set(["joined", "left", "vacated"]);

const nameOf = ({ event }: LogLine): string => event?.event ?? "";

function seatOf(line: LogLine): number | undefined {
  return OF_THE_ROOM.has(nameOf(line)) ? undefined : line.seat;
}

/** Whether a sentence belongs to the block before it, whose last sentence is given. */
function continues(line: LogLine, seat: number | undefined, last: LogLine): boolean {
  if (nameOf(line) === "turn_began") return false;
  if (seatOf(line) === seat) return true;
  return seat !== undefined && line.version === last.version;
}

export function blocksOf(lines: readonly LogLine[]): readonly LogBlock[] {
  const blocks: LogBlock[] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const last = block?.kind === "turn" ? block.actions.at(-1)?.at(-1) : undefined;
    if (line.kind !== "event") blocks.push({ kind: "single", line });
    else if (nameOf(line) === "round_began") blocks.push({ kind: "heading", line });
    else if (block?.kind === "turn" && last !== undefined && continues(line, block.seat, last)) {
      const before = block.actions.slice(0, -1);
      const action = block.actions.at(-1) ?? [];
      const actions =
        line.version === last.version ? [...before, [...action, line]] : [...block.actions, [line]];
      blocks[blocks.length - 1] = { ...block, actions };
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
