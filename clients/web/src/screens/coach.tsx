// The coach: what a step of a lesson says, or a situation that is new, with rings around what that speaks of.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Position } from "../board/contract.ts";
import { Icon } from "../board/index.ts";
import type { LessonStep } from "../protocol/answers.gen.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
import type { LogLine } from "../state/state.ts";
import { HintMarks } from "./hintMarks.tsx";
import { ringed } from "./ringed.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/coach.css";

const STEP = "/learn";

const LABELS = {
  en: { next: "Next", show: "Show me", skip: "Skip" },
  ja: { next: "次へ", show: "やって見せて", skip: "終える" },
} as const;

interface CoachProps extends ViewProps {
  readonly room: RoomView;
  /** Where it rings places; undefined before the board is drawn, and while a hint has its own marks. */
  readonly position: Position | undefined;
}

/** What the coach has said in a game. */
export function Tip(props: CoachProps & { readonly tip: LogLine }): VNode {
  // What is no lesson is announced as a note; the second line offers a hint, as a button does.
  const [text] = props.tip.text.split("\n");
  return <Bubble {...props} text={text} points={props.tip.sent?.split("\n")} />;
}

export function Lesson(props: CoachProps): VNode {
  const { state, emit, room } = props;
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
  const at = tableOf(room).lesson;
  const say = (what: string) => () =>
    emit({ type: "line_chosen", inputKey, text: `${STEP} ${what}` });
  const go = step?.wanted ? "show" : "next";
  return (
    <Bubble {...props} {...step}>
      {at && (
        <small>
          {at.step + 1} / {at.steps}
        </small>
      )}
      <button type="button" class="btn" onClick={say("skip")}>
        {labels.skip}
      </button>
      <button type="button" class="btn go" onClick={say(go)}>
        {labels[go]}
      </button>
    </Bubble>
  );
}

interface BubbleProps extends CoachProps {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly points?: readonly string[] | undefined;
  readonly children?: ComponentChildren;
}

function Bubble({ state, position, title, text, points, children }: BubbleProps): VNode | null {
  const strings = stringsOf(state);
  const [closed, setClosed] = useState(false);
  const marked = points && ringed(points);
  useEffect(() => {
    if (marked) import("./reveal.ts").then(({ reveal }) => reveal(marked));
    // Anew where the board has another width: the phone was turned.
  }, [marked, position?.area.width]);
  if (closed) return null;
  return (
    <section class="coach" aria-label={strings.learn}>
      <div role={children ? "status" : undefined}>
        <b>{title}</b>
        <p>{text}</p>
      </div>
      {text && (
        <div class="coach-buttons">
          {children ?? (
            <button
              type="button"
              class="btn"
              onClick={() => setClosed(true)}
              aria-label={strings.close}
            >
              <Icon name="x" />
            </button>
          )}
        </div>
      )}
      {marked && position && <HintMarks position={position} marked={marked} />}
    </section>
  );
}
