// The task: what to do now, in a sentence, and the button that does what the line says.

import type { VNode } from "preact";
import type { Board, Position, Seat } from "../board/contract.ts";
import { COLOURED_SEATS, Icon, SeatMark, verbLabel } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
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
}

/** Whether the table allows hints, and it is our move. */
function mayAskHint(room: RoomView): boolean {
  const { options, rated, turn } = tableOf(room);
  const allowed = (options.hints ?? "off") !== "off" && !rated;
  return allowed && turn.some((seat) => room.eyes.includes(seat));
}

/** What to do now; undefined before the game. */
export function taskOf(props: Omit<TaskProps, "emit">): TaskText | undefined {
  const { state, room, board, position, touch } = props;
  const strings = stringsOf(state);
  const { phase, turn, seats } = tableOf(room);
  if (room.view.game === undefined) return undefined;
  if (phase !== "playing" || turn.length === 0) {
    const ended = position === undefined ? undefined : board?.ended?.(position);
    const other = phase === "paused" ? strings.taskPaused : (ended ?? strings.taskOver);
    return { seat: undefined, isMyTurn: false, text: other };
  }
  const mySeat = turn.find((seat) => room.eyes.includes(seat));
  if (mySeat === undefined) {
    const names = turn.map((seat) => seats[seat]?.name ?? String(seat));
    return { seat: turn[0], isMyTurn: false, text: strings.waitingForNames(names) };
  }
  const seat = position?.seat ?? mySeat;
  if (position?.draft.complete !== undefined) {
    return { seat, isMyTurn: true, text: touch ? strings.nowTap : strings.nowEnter };
  }
  const task = position === undefined ? undefined : board?.task?.(position);
  return { seat, isMyTurn: true, text: task || strings.itIsYourTurn };
}

/** Undo and hint: beside the task, on a phone beside the line. */
export function QuickTools({
  state,
  emit,
  inputKey,
}: Pick<TaskProps, "state" | "emit" | "inputKey">): VNode | null {
  const strings = stringsOf(state);
  const room = state.session.mirror.rooms[inputKey];
  if (room?.view.game === undefined) return null;
  const { catalogue, undo } = inputOf(state, inputKey);
  const hasCommand = (name: string): boolean => catalogue.some((item) => item.name === name);
  const choose = (command: string) => () =>
    emit({ type: "line_chosen", inputKey, text: `/${command}` });
  return (
    <div class="quick-tools">
      {hasCommand("undo") && (
        <button type="button" class="btn" disabled={undo?.can === false} onClick={choose("undo")}>
          <Icon name="undo" size={16} />
          <span>{undo?.asks ? strings.undoAsks : strings.undo}</span>
        </button>
      )}
      {hasCommand("hint") && mayAskHint(room) && (
        <button type="button" class="btn" onClick={choose("hint")}>
          <Icon name="hint" size={16} />
          <span>{strings.hint}</span>
        </button>
      )}
    </div>
  );
}

/** The button names what Enter would do; flat until the line is complete. */
function VerbButton({ state, emit, inputKey, board, position }: TaskProps): VNode | null {
  const strings = stringsOf(state);
  const { pending } = inputOf(state, inputKey);
  if (position === undefined || position.moves.length === 0) return null;
  const ready = position.draft.complete !== undefined;
  return (
    <button
      type="button"
      class={ready ? "btn act verb" : "btn verb"}
      disabled={!ready || pending !== undefined}
      aria-describedby="task"
      onClick={() => emit({ type: "line_submitted", inputKey })}
    >
      {verbLabel(position, board?.verbs) ?? strings.chooseMove}
    </button>
  );
}

export function Task(props: TaskProps): VNode | null {
  const { state, emit, inputKey, room, board, position } = props;
  const task = taskOf(props);
  if (task === undefined) return null;
  const many = Object.keys(tableOf(room).seats).length > COLOURED_SEATS;
  const facts = position && task.seat !== undefined ? board?.seat?.(task.seat, position) : {};
  const effect = position === undefined ? undefined : board?.hint?.(position);
  return (
    <section class={task.isMyTurn ? "task mine" : "task"} aria-label={stringsOf(state).task}>
      {task.seat !== undefined && (
        <SeatMark
          seat={task.seat}
          size={28}
          many={many}
          {...(facts?.letter === undefined ? {} : { text: facts.letter })}
        />
      )}
      <p class="task-text" id="task" role="status">
        <b>{task.text}</b>
        {task.isMyTurn && effect !== undefined && effect !== "" && effect !== task.text && (
          <small>{effect}</small>
        )}
      </p>
      <QuickTools state={state} emit={emit} inputKey={inputKey} />
      {task.isMyTurn && <VerbButton {...props} />}
    </section>
  );
}
