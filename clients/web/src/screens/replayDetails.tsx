// What is beside the board of a replay: the analysis, the check of the dice, the sentences of each step.

import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnyEvent, GameBody } from "../board/contract.ts";
import { COLOURED_SEATS, SeatMark } from "../board/index.ts";
import type { Moment, Replay } from "../state/replay.ts";
import { AnalysisPanel } from "./analysisPanel.tsx";
import { analysisRequest } from "./analysisRequest.ts";
import { Guarded } from "./boundary.tsx";
import { Fairness } from "./fairness.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/replayDetails.css";

/** The seat of an event. */
function seatOf(event: AnyEvent | undefined): number | undefined {
  const seat = (event as { readonly seat?: unknown } | undefined)?.seat;
  return typeof seat === "number" ? seat : undefined;
}

/**
 * A step's sentences, grouped by seat: equal sentences for several seats (their cards) are
 * distinguished by their pieces.
 */
export function textsBySeat(
  moment: Pick<Moment, "text" | "events">,
): readonly { readonly seat: number | undefined; readonly text: string }[] {
  const { text, events } = moment;
  const result: { readonly seat: number | undefined; readonly text: string }[] = [];
  // Without one sentence per event the seat of each sentence is unknown: the step belongs to the
  // seat of its first event.
  const paired = text.length === events.length;
  for (const [at, sentence] of text.entries()) {
    // As in the log: the ranks are shown by the seats.
    if (paired && events[at]?.event === "ranked") continue;
    const seat = seatOf(events[paired ? at : 0]);
    const last = result.at(-1);
    if (last !== undefined && last.seat === seat) {
      result[result.length - 1] = { seat: last.seat, text: `${last.text} ${sentence}` };
    } else result.push({ seat, text: sentence });
  }
  return result;
}

/** The number of steps listed before and after the shown one. */
const LISTED = 100;

/** The sentences of each step, one row a step; a click goes there. */
function Steps({ state, emit, of: key, replay }: ViewProps & { of: string; replay: Replay }) {
  const strings = stringsOf(state);
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const box = list.current;
    const there = box?.querySelector<HTMLElement>("[aria-current]");
    if (box == null || there == null) return;
    box.scrollTop = there.offsetTop - box.offsetTop - box.clientHeight / 2;
  }, [replay.shown]);
  const many =
    Object.keys(replay.moments[replay.shown]?.view.room.seats ?? {}).length > COLOURED_SEATS;
  const near = Object.entries(replay.moments).filter(
    ([step]) => Math.abs(Number(step) - replay.shown) <= LISTED,
  );
  return (
    <ol ref={list} class="log steps" aria-label={strings.log}>
      {near.map(([step, moment]) => {
        const there = Number(step) === replay.shown;
        return (
          <li key={step}>
            <button
              type="button"
              class={there ? "log-line on" : "log-line"}
              aria-current={there ? "step" : undefined}
              onClick={() => emit({ type: "replayed", key, to: Number(step) })}
            >
              <small>{step}</small>
              <span>
                {textsBySeat(moment).map(({ seat, text }) => (
                  <span key={`${seat} ${text}`} class="told">
                    {seat !== undefined && <SeatMark seat={seat} size={16} text="" many={many} />}
                    <span>{text}</span>
                  </span>
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** Once the end is known: the seed of the dice, to be checked. */
function SeedOf({ state, replay }: ViewProps & { readonly replay: Replay }): VNode | null {
  const last = replay.moments[replay.steps];
  const table = last?.view.room;
  if (table?.ending === undefined) return null;
  return <Fairness strings={stringsOf(state)} commit={table.commit} seed={table.ending.seed} />;
}

interface DetailsProps extends ViewProps {
  /** The key of the replay. */
  readonly of: string;
  readonly replay: Replay;
  /** The id of the game, and its static data. */
  readonly game: string;
  readonly about: GameBody | undefined;
  readonly onStep: (step: number) => void;
}

export function ReplayDetails(props: DetailsProps): VNode {
  const { state, replay, game } = props;
  const moment = replay.moments[replay.shown];
  return (
    <>
      {replay.id !== "" && (
        <Guarded {...props} name="analysis" of={state.requests[analysisRequest(game).key]}>
          <AnalysisPanel {...props} shown={replay.shown} />
        </Guarded>
      )}
      <Guarded {...props} name="steps" of={moment}>
        <SeedOf {...props} />
        <Steps {...props} />
      </Guarded>
    </>
  );
}
