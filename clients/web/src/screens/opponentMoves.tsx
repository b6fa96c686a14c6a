// What the others have just played, over the task while it moves on the board: one sentence after
// the other, until all has been seen or a press or a key skips it. Readers hear it from the log.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, Position } from "../board/contract.ts";
import { bothLanguages, SeatMark } from "../board/index.ts";
import { type Playing, watchMotion } from "../board/motion.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import type { LogLine } from "../state/state.ts";
import type { ViewProps } from "./viewProps.ts";
import "../style/opponentMoves.css";

const strings = bothLanguages({ skip: "Skip" }, { skip: "スキップ" });

export interface Move extends Playing {
  readonly lines: readonly LogLine[];
}

/** The sentences of the newest version, if another seat has played it. */
export function newestMove(
  log: readonly LogLine[],
  eyes: readonly number[],
): readonly LogLine[] | undefined {
  const newest = log.findLast((line) => line.kind === "event");
  const lines = log.filter((line) => line.kind === "event" && line.version === newest?.version);
  const { seat } = lines[0] ?? {};
  return seat === undefined || eyes.includes(seat) ? undefined : lines;
}

/** The moves after another one has been queued: only those that are still to be seen. */
export function queued(
  moves: readonly Move[],
  next: Move | undefined,
  now: number,
): readonly Move[] {
  if (next === undefined) return [];
  const seen = moves.filter((move) => move.until > now && move.lines[0] !== next.lines[0]);
  return [...seen, next];
}

interface Props extends Pick<ViewProps, "state"> {
  readonly room: RoomView;
  /** Whether the table has more seats than there are colours. */
  readonly many: boolean;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
  readonly inputKey: string;
}

export function OpponentMoves({
  state,
  room,
  many,
  board,
  position,
  inputKey,
}: Props): VNode | null {
  const [moves, setMoves] = useState<readonly Move[]>([]);
  const [now, setNow] = useState(0);
  const log = useRef<readonly LogLine[]>([]);
  log.current = inputOf(state, inputKey).log;
  useEffect(
    () =>
      watchMotion((playing) => {
        const lines = playing && newestMove(log.current, room.eyes);
        const next = playing && lines && { ...playing, lines };
        if (playing && !next) return;
        setNow(performance.now());
        setMoves((before) => queued(before, next, performance.now()));
      }),
    [],
  );
  const last = moves.at(-1);
  const at = moves.findLastIndex((move) => move.from <= now);
  const present = last && now < last.until ? moves[at] : undefined;
  useEffect(() => {
    if (!last) return;
    const next = moves[at + 1]?.from ?? last.until;
    const timer = setTimeout(() => setNow(performance.now() + 1), next - performance.now());
    return () => clearTimeout(timer);
  }, [moves, at]);
  const [first, ...rest] = present?.lines ?? [];
  if (first?.seat === undefined) return null;
  const letter = position && board?.seat?.(first.seat, position).letter;
  return (
    <div class="opponent-move" aria-hidden="true">
      <SeatMark seat={first.seat} size={28} many={many} text={letter} />
      <p class="task-text">
        <b>{first.text}</b>
        {rest.length > 0 && <small>{rest.map((line) => line.text).join(" ")}</small>}
      </p>
      {moves.length > 1 && (
        <span class="chips">
          {moves.map((move) => (
            <i key={move.lines[0]?.key} class={move === present ? "dot on" : "dot"} />
          ))}
        </span>
      )}
      <button type="button" class="btn" tabIndex={-1}>
        {strings(state.settings.lang).skip}
      </button>
    </div>
  );
}
