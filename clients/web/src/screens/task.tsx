// The task: what to do now, in a sentence, and the button that does what the line says.

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Board, Position, Seat } from "../board/contract.ts";
import { COLOURED_SEATS, later, SeatMark, verbLabel } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { pastOf, shownHint, tableOf } from "../state/selectors.ts";
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
  readonly isMyTurn: boolean;
  readonly text: string;
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
    return { seat: undefined, isMyTurn: false, text: other };
  }
  const mySeat = turn.find((seat) => room.eyes.includes(seat));
  if (mySeat === undefined) {
    const names = turn.map((seat) => seats[seat]?.name ?? String(seat));
    return { seat: turn[0], isMyTurn: false, text: strings.waitingForNames(names) };
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
  const ready = position.draft.complete !== undefined;
  return (
    <button
      type="button"
      class={ready ? "btn act verb" : "btn verb"}
      disabled={!ready || input.pending !== undefined}
      aria-describedby="task"
      onClick={() => emit({ type: "line_submitted", inputKey })}
    >
      {shownHint(input) ? strings.doIt : (verbLabel(position, board?.verbs) ?? strings.chooseMove)}
    </button>
  );
}

const hints = later(() => import("./hintMarks.tsx"));
const lessons = later(() => import("./coach.tsx"));
const opponents = later(() => import("./opponentMoves.tsx"));

interface ExtraProps<Props extends object> {
  readonly load: () => Promise<void>;
  readonly of: () => ComponentType<Props>;
  readonly props: Props;
}

/** Drawn once its code is loaded: the reasons of a hint with its marks, or a lesson's step. */
function Extra<Props extends object>({ load, of, props }: ExtraProps<Props>): VNode | false {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => void load().then(() => setLoaded(true)), []);
  const Loaded = loaded && of();
  return Loaded && <Loaded {...props} />;
}

export function Task(props: TaskProps): VNode | null {
  const { state, room, board, position } = props;
  const task = taskOf(props);
  if (task === undefined) return null;
  const many = Object.keys(tableOf(room).seats).length > COLOURED_SEATS;
  const facts = position && task.seat !== undefined ? board?.seat?.(task.seat, position) : {};
  const effect = position && board?.hint?.(position);
  const { hint } = task;
  const kind = task.isMyTurn ? (hint ? "task mine hinted" : "task mine") : "task";
  return (
    <>
      {tableOf(room).lesson && (
        <Extra
          load={lessons.load}
          of={() => lessons.get().Lesson}
          props={{ ...props, position: hint ? undefined : position }}
        />
      )}
      <section class={kind} aria-label={stringsOf(state).task}>
        {task.seat !== undefined && (
          <SeatMark seat={task.seat} size={28} many={many} text={facts?.letter} />
        )}
        <p class="task-text" id="task" role="status">
          <b>{task.text}</b>
          {hint ? (
            <Extra load={hints.load} of={() => hints.get().HintMarks} props={hint} />
          ) : (
            task.isMyTurn && effect && effect !== task.text && <small>{effect}</small>
          )}
        </p>
        <QuickTools {...props} />
        {task.isMyTurn && <VerbButton {...props} />}
        {/* In a replay nothing moves. */}
        {pastOf(state, props.inputKey) === undefined && (
          <Extra
            load={opponents.load}
            of={() => opponents.get().OpponentMoves}
            props={{ ...props, many }}
          />
        )}
      </section>
    </>
  );
}
