// Controls of a replay: a step back, play, a step forward, and a slider with the rounds as marks.

import type { ComponentChildren, VNode } from "preact";
import { Icon } from "../board/index.ts";
import type { Replay } from "../state/replay.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/lookBack.css";

/** A named position on the slider. */
export interface Mark {
  readonly at: number;
  readonly label: string;
}

type ScrubberProps = ViewProps & {
  /** The key of the replay. */
  readonly of: string;
  readonly replay: Replay;
  readonly marks?: readonly Mark[];
  /** Whether the game is running, so that the last step is not its end. */
  readonly more?: boolean;
  /** Shown at the end of the slider. */
  readonly children?: ComponentChildren;
};

function Step(props: {
  readonly icon: "back" | "fwd";
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}): VNode {
  return (
    <button
      type="button"
      class="btn"
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** The slider is seldom narrower when its marks have labels. */
const SLIDE_PIXELS = 600;

/** The approximate width of a label: Japanese letters are square. */
function widthOf(label: string): number {
  return 12 + [...label].reduce((sum, letter) => sum + (letter > "\u2e80" ? 12 : 7), 0);
}

/** The marks; of overlapping labels only the first is shown. */
export function placed(
  marks: readonly Mark[],
  steps: number,
): readonly { readonly at: number; readonly percent: number; readonly label: string }[] {
  let free = 0;
  return marks.map(({ at, label }) => {
    const fraction = at / Math.max(1, steps);
    const start = fraction * SLIDE_PIXELS;
    const end = start + widthOf(label);
    const fits = start >= free && end <= SLIDE_PIXELS + 24;
    if (fits) free = end;
    return { at, percent: 100 * fraction, label: fits ? label : "" };
  });
}

function Marks({ marks, steps }: { readonly marks: readonly Mark[]; readonly steps: number }) {
  return (
    <div class="marks" aria-hidden="true">
      {placed(marks, steps).map(({ at, percent, label }) => (
        <span key={at} style={{ left: `${percent}%` }}>
          {label}
        </span>
      ))}
    </div>
  );
}

const SPEEDS: readonly number[] = [0.5, 1, 2, 4];

function Speed({ state, emit, of: key, replay }: ScrubberProps): VNode {
  return (
    <select
      aria-label={stringsOf(state).speed}
      value={replay.speed}
      onChange={(event) =>
        emit({ type: "replay_speed", key, speed: Number(event.currentTarget.value) })
      }
    >
      {SPEEDS.map((speed) => (
        <option key={speed} value={speed}>
          {speed}×
        </option>
      ))}
    </select>
  );
}

export function Scrubber(props: ScrubberProps): VNode {
  const { state, emit, of: key, replay, marks = [], more = false } = props;
  const strings = stringsOf(state);
  const { at, steps, shown, playing, refused } = replay;
  const isLoaded = replay.id !== "";
  const go = (to: number): void => {
    const last = more ? steps + 1 : steps;
    emit({ type: "replayed", key, to: Math.min(Math.max(to, 0), last) });
  };
  return (
    <section class="look-back" aria-label={strings.lookBack} aria-busy={at !== shown}>
      <Step
        icon="back"
        label={strings.earlier}
        disabled={!isLoaded || at === 0}
        onClick={() => go(at - 1)}
      />
      <button
        type="button"
        class="btn"
        aria-label={playing ? strings.stand : strings.playOn}
        aria-pressed={playing}
        disabled={!isLoaded}
        onClick={() => emit({ type: "replay_played", key, playing: !playing })}
      >
        <Icon name={playing ? "pause" : "play"} />
      </button>
      <Step
        icon="fwd"
        label={strings.later}
        disabled={!isLoaded || (at >= steps && !more)}
        onClick={() => go(at + 1)}
      />
      <div class="slide">
        <input
          type="range"
          min={0}
          max={steps}
          value={Math.min(at, steps)}
          disabled={!isLoaded}
          aria-label={strings.steps}
          aria-valuetext={strings.stepOf(at, steps)}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        {marks.length > 0 && <Marks marks={marks} steps={steps} />}
      </div>
      <Speed {...props} />
      <span class="step" role="status">
        {refused ?? (isLoaded ? strings.stepOf(at, steps) : strings.connecting)}
      </span>
      {props.children}
    </section>
  );
}
