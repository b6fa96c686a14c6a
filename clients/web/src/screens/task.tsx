// The task: what to do now, in a sentence, and the button that does what the line says.

import type { VNode } from "preact";
import type { Board, Position, Seat } from "../board/contract.ts";
import { COLOURED_SEATS, SeatMark, verbLabel } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { pastOf, serverNow, shownHint, tableOf } from "../state/selectors.ts";
import { clockText } from "../strings/index.ts";
import { useModule } from "./lazy.tsx";
import { QuickTools } from "./quickTools.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export interface TaskProps extends ViewProps {
  readonly inputKey: string;
  readonly room: RoomView;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
  readonly touch: boolean;
}

interface TaskText {
  /** Whose piece stands before the sentence. */
  readonly seat: Seat | undefined;
  readonly isMyTurn?: boolean;
  readonly text: string;
  /** How long those who are away may take, in the same order. */
  readonly left?: string | undefined;
  /** The hint that it is, and its position. */
  readonly hint?: { readonly text: string; readonly position: Position };
}

/** What to do now; undefined before the game. */
export function taskOf(props: Omit<TaskProps, "emit">): TaskText | undefined {
  const { state, room, board, position, touch } = props;
  const strings = stringsOf(state);
  const { phase, turn, seats } = tableOf(room);
  if (room.view.game === undefined) return undefined;
  if (phase !== "playing" || turn.length === 0) {
    const ended = position && board?.ended?.(position);
    const other = phase === "paused" ? strings.taskPaused : (ended ?? strings.taskOver);
    return { seat: undefined, text: other };
  }
  const mySeat = turn.find((seat) => room.eyes.includes(seat));
  if (mySeat === undefined) {
    const times: string[] = [];
    const names = turn.map((seat) => {
      const { name = String(seat), deadline } = seats[seat] ?? {};
      if (!room.away.includes(name)) return name;
      if (deadline) times.push(strings.left(clockText(deadline - serverNow(state), strings)));
      return `${name} (${strings.away})`;
    });
    return { seat: turn[0], text: strings.waitingForNames(names), left: times.join(" · ") };
  }
  const seat = position?.seat ?? mySeat;
  const hint = shownHint(inputOf(state, props.inputKey));
  if (hint && position?.draft.complete) {
    const text = strings.hintFor(verbLabel(position, board?.verbs) ?? "");
    return { seat, isMyTurn: true, text, hint: { text: hint.text, position } };
  }
  if (position?.draft.complete) {
    return { seat, isMyTurn: true, text: touch ? strings.nowTap : strings.nowEnter };
  }
  const task = position && board?.task?.(position);
  return { seat, isMyTurn: true, text: task || strings.itIsYourTurn };
}

/** The button names what Enter would do; flat until the line is complete. */
function VerbButton({ state, emit, inputKey, board, position }: TaskProps): VNode | null {
  const strings = stringsOf(state);
  const input = inputOf(state, inputKey);
  if (!position?.moves.length) return null;
  const ready = !!position.draft.complete;
  return (
    <button
      type="button"
      class={ready ? "btn act verb" : "btn verb"}
      disabled={!ready || !!input.pending}
      aria-describedby="task"
      onClick={() => emit({ type: "line_submitted", inputKey })}
    >
      {shownHint(input) ? strings.doIt : (verbLabel(position, board?.verbs) ?? strings.chooseMove)}
    </button>
  );
}

export function Task(props: TaskProps): VNode | null {
  const { state, emit, room, board, position } = props;
  const task = taskOf(props);
  const { lesson } = tableOf(room);
  // In a replay nothing moves.
  const moves = pastOf(state, props.inputKey) === undefined;
  const hints = useModule(emit, !!task?.hint, () => import("./hintMarks.tsx"));
  const lessons = useModule(emit, !!lesson, () => import("./coach.tsx"));
  const opponents = useModule(emit, moves, () => import("./opponentMoves.tsx"));
  if (task === undefined) return null;
  const many = Object.keys(tableOf(room).seats).length > COLOURED_SEATS;
  const { hint, isMyTurn, seat } = task;
  const facts = seat && position ? board?.seat?.(seat, position) : {};
  const small = isMyTurn ? position && board?.hint?.(position) : task.left;
  const kind = isMyTurn ? (hint ? "task mine hinted" : "task mine") : "task";
  return (
    <>
      {lesson && lessons && <lessons.Lesson {...props} position={hint ? undefined : position} />}
      <section class={kind} aria-label={stringsOf(state).task}>
        {seat && <SeatMark seat={seat} size={28} many={many} text={facts?.letter} />}
        <p class="task-text" id="task" role="status">
          <b>{task.text}</b>
          {hint
            ? hints && <hints.HintMarks {...hint} />
            : small &&
              small !== task.text && (
                // What changes each second is not read aloud.
                <small aria-live={isMyTurn ? "polite" : "off"}>{small}</small>
              )}
        </p>
        <QuickTools {...props} />
        {isMyTurn && <VerbButton {...props} />}
        {moves && opponents && <opponents.OpponentMoves {...props} many={many} />}
      </section>
    </>
  );
}
