// The result: ranks, scores, and the breakdown of points, each with its rule. It stays while the next
// game is prepared.

import type { VNode } from "preact";
import type { Board, Position } from "../board/contract.ts";
import { COLOURED_SEATS, number, SeatMark } from "../board/index.ts";
import type { Ending, Table } from "../protocol/table.gen.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, tableOf } from "../state/selectors.ts";
import { AnalysisPanel } from "./analysisPanel.tsx";
import { Downloads } from "./downloadButtons.tsx";
import { Fairness } from "./fairness.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/result.css";

type ResultProps = ViewProps & {
  readonly room: RoomView;
  readonly inputKey: string;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
  /** Whether it is of the last game, and the room prepares the next one. */
  readonly next?: boolean;
};

/** Said while the next game is prepared. */
const NEXT = { en: "Another game is being prepared.", ja: "次の対局の準備中です。" } as const;

/** Points in the game's own unit, if it has one. */
function pointsText({ state, board }: ResultProps, points: number): string {
  const { lang } = state.settings;
  return board?.points?.(points, lang) ?? number(points, lang);
}

/** How the game ended: the game's own sentence if it was played to its end. */
function endText({ state, board, position }: ResultProps, { how }: Ending): string {
  const strings = stringsOf(state);
  if (how === "resigned") return strings.byResignation;
  const boardText =
    how !== "score" || position === undefined ? undefined : board?.ended?.(position);
  return boardText ?? strings.byScore;
}

function nameOf(table: Table, seat: string): string {
  return table.seats[seat]?.name ?? seat;
}

function headline(props: ResultProps, table: Table, ending: Ending): string {
  const strings = stringsOf(props.state);
  const winners = Object.entries(ending.places).filter(([, result]) => result.place === 1);
  const [first] = winners;
  if (ending.how === "void" || first === undefined) return strings.void;
  const { score: best } = first[1];
  const beaten = Object.values(ending.places).some(({ score }) => score > best);
  const score = pointsText(props, best);
  const names = winners.map(([seat]) => nameOf(table, seat));
  // Other players resigned, or lost their capital: the winner won regardless of the scores.
  if ((ending.how === "resigned" || beaten) && winners.length === 1)
    return strings.winsWithoutScore(names[0] ?? "");
  return winners.length > 1
    ? strings.draw(names.join(", "), score)
    : strings.wins(names[0] ?? "", score);
}

/** The letter on a seat's piece, as in the list of seats. */
function letterOf({ board, position }: ResultProps, seat: number): string | undefined {
  return position && board?.seat?.(seat, position).letter;
}

/**
 * A segment smaller than this share of the longest bar has no room for a number; each letter needs
 * more.
 */
const LABELLED = 0.12;
const LETTER = 0.03;

/** One seat's points as a bar; negative points have no length, and are in the table. */
function Bar({
  ending,
  seat,
  most,
  written,
}: {
  readonly ending: Ending;
  readonly seat: string;
  readonly most: number;
  readonly written: (points: number) => string;
}): VNode {
  const fits = (points: number): boolean =>
    points >= most * Math.max(LABELLED, LETTER * written(points).length);
  const parts = ending.breakdown.filter((row) => row.seat === Number(seat) && row.points > 0);
  return (
    <div class="bar" aria-hidden="true">
      {parts.map((row) => (
        <i
          key={row.key}
          class={`seat-${((Number(seat) - 1) % COLOURED_SEATS) + 1}`}
          style={{ width: `${(100 * row.points) / most}%` }}
        >
          {fits(row.points) && <span>{written(row.points)}</span>}
        </i>
      ))}
    </div>
  );
}

function Breakdown(props: ResultProps & { readonly ending: Ending }): VNode {
  const { state, emit, room, inputKey, ending } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const body = bodyOf(state, room.game);
  const keys = [...new Map(ending.breakdown.map((row) => [row.key, row.rule]))];
  const seats = Object.keys(ending.places);
  return (
    <details>
      <summary>{strings.breakdown}</summary>
      <div class="scroll">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">{strings.rule}</th>
              {seats.map((seat) => (
                <th key={seat} scope="col">
                  <bdi>{nameOf(table, seat)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.map(([key, rule]) => (
              <tr key={key}>
                <th scope="row">
                  {body?.scores?.[key]?.[state.settings.lang] ?? key}{" "}
                  <button
                    type="button"
                    class="link"
                    onClick={() => emit({ type: "panel", inputKey, panel: `rules ${rule}` })}
                  >
                    {rule}
                  </button>
                </th>
                {seats.map((seat) => (
                  <td key={seat}>
                    {pointsText(
                      props,
                      ending.breakdown.find((row) => row.key === key && row.seat === Number(seat))
                        ?.points ?? 0,
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function Result(props: ResultProps): VNode | null {
  const { state, emit, room, inputKey } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const { ending } = table;
  if (ending === undefined) return null;
  if (inputOf(state, inputKey).putAway === table.game_id) {
    return (
      <button
        type="button"
        class="btn result-back"
        onClick={() => emit({ type: "result_hidden", inputKey, putAway: "" })}
      >
        {strings.showResult}
      </button>
    );
  }
  const results = Object.entries(ending.places).toSorted((a, b) => a[1].place - b[1].place);
  const most = Math.max(1, ...results.map(([, result]) => result.score));
  const seats = Object.keys(table.seats).length;
  return (
    <section class="result" aria-labelledby="result">
      <header>
        <h2 id="result">{headline(props, table, ending)}</h2>
        <button
          type="button"
          class="btn flat"
          aria-label={strings.close}
          onClick={() => emit({ type: "result_hidden", inputKey, putAway: table.game_id })}
        >
          ×
        </button>
      </header>
      {ending.how !== "void" && <p class="quiet">{endText(props, ending)}</p>}
      <ol>
        {results.map(([seat, result]) => (
          <li key={seat}>
            <div class="standing">
              <b class="place">{strings.rank(result.place)}</b>
              <SeatMark
                seat={Number(seat)}
                many={seats > COLOURED_SEATS}
                text={letterOf(props, Number(seat))}
              />
              <bdi>{nameOf(table, seat)}</bdi>
              {result.place === 1 && ending.how !== "void" && (
                <span class="badge">{strings.winner}</span>
              )}
              <b class="score">{pointsText(props, result.score)}</b>
            </div>
            <Bar
              ending={ending}
              seat={seat}
              most={most}
              written={(points) => pointsText(props, points)}
            />
          </li>
        ))}
      </ol>
      {props.next && <p role="status">{NEXT[state.settings.lang]}</p>}
      <div class="doors">
        {!props.next && (room.eyes[0] || table.host === state.name) && (
          <button
            type="button"
            class="btn act"
            onClick={() => emit({ type: "line_chosen", inputKey, text: "/again" })}
          >
            {strings.playAgain}
          </button>
        )}
        <button
          type="button"
          class="btn"
          onClick={() =>
            emit({ type: "navigated", address: { at: "game", id: table.game_id, move: 0 } })
          }
        >
          {strings.replay}
        </button>
        <Downloads {...props} />
      </div>
      {ending.breakdown.length > 0 && <Breakdown {...props} ending={ending} />}
      <Fairness strings={strings} commit={table.commit} seed={ending.seed} />
      <AnalysisPanel
        state={state}
        emit={emit}
        game={table.game_id}
        about={bodyOf(state, room.game)}
        onStep={(move) =>
          emit({ type: "navigated", address: { at: "game", id: table.game_id, move } })
        }
      />
    </section>
  );
}
