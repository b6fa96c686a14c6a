// The coach of a lesson: what its step says, with rings around what that speaks of.

import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Position } from "../board/contract.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
import { HintMarks } from "./hintMarks.tsx";
import type { ViewProps } from "./viewProps.ts";
import "../style/coach.css";

/** The answer to `/learn` in a lesson. */
interface LessonStep {
  readonly title: string;
  readonly text: string;
  /** The ids of places. */
  readonly points: readonly string[];
  /** Whether a move ends the step; else it is only read. */
  readonly wanted: boolean;
}

const STEP = "/learn";

const LABELS = {
  en: {
    lesson: "Lesson",
    step: (at: number, of: number) => `Step ${at} of ${of}`,
    next: "Next",
    show: "Show me",
    skip: "Skip",
  },
  ja: {
    lesson: "レッスン",
    step: (at: number, of: number) => `${at} / ${of}`,
    next: "次へ",
    show: "やって見せて",
    skip: "終える",
  },
} as const;

/** What is ringed of a place: its mark, or a button as a whole. */
function ringed(points: readonly string[]): string {
  return points
    .map((id) => `[data-place=${JSON.stringify(id)}]`)
    .map((place) => `${place} > .mark, button${place}`)
    .join();
}

interface CoachProps extends ViewProps {
  readonly room: RoomView;
  readonly position: Position | undefined;
}

export function Coach({ state, emit, room, position }: CoachProps): VNode {
  const inputKey = room.id;
  const labels = LABELS[state.settings.lang];
  const { answers } = inputOf(state, inputKey);
  useEffect(() => {
    emit({ type: "acted", inputKey, act: { act: "ask", line: STEP } });
  }, [answers]);
  // Each update makes the answer stale: until the next one is there, the last one is shown.
  const last = useRef<LessonStep | undefined>(undefined);
  const step = (answers[STEP]?.data as LessonStep | undefined) ?? last.current;
  last.current = step;
  const marked = ringed(step?.points ?? []);
  const at = tableOf(room).lesson;
  const say = (what: string) => () =>
    emit({ type: "line_chosen", inputKey, text: `${STEP} ${what}` });
  const go = step?.wanted ? "show" : "next";
  return (
    <section class="coach" aria-label={labels.lesson}>
      <div role="status">
        <b>{step?.title}</b>
        <p>{step?.text}</p>
      </div>
      {step && (
        <div class="coach-buttons">
          {at && <small>{labels.step(at.step + 1, at.steps)}</small>}
          <button type="button" class="btn" onClick={say("skip")}>
            {labels.skip}
          </button>
          <button type="button" class="btn go" onClick={say(go)}>
            {labels[go]}
          </button>
        </div>
      )}
      {marked && position && <HintMarks position={position} marked={marked} />}
    </section>
  );
}
