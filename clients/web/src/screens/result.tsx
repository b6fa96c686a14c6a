// How it ended: places, scores, and where the points come from, each with its rule.

import type { VNode } from "preact";
import type { Board, Position } from "../board/contract.ts";
import { number, SeatMark } from "../board/index.ts";
import type { Ending, Table } from "../protocol/table.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { bodyOf, tableOf } from "../state/selectors.ts";
import { AnalysisOf } from "./analysisPanel.tsx";
import { Papers } from "./downloadButtons.tsx";
import { Fairness } from "./fairness.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type ResultProps = ViewProps & {
  readonly room: RoomView;
  readonly desk: string;
  readonly board: Board | undefined;
  readonly position: Position | undefined;
};

/** Points in the game's own unit, where it has one. */
function pointsSaid({ state, board }: ResultProps, points: number): string {
  const { lang } = state.settings;
  return board?.points?.(points, lang) ?? number(points, lang);
}

/** How it ended: the game's own words for it, where it was played to its end. */
function howSaid({ state, board, position }: ResultProps, { how }: Ending): string {
  const words = stringsOf(state);
  if (how === "resigned") return words.byResignation;
  const own = how !== "score" || position === undefined ? undefined : board?.ended?.(position);
  return own ?? words.byScore;
}

function nameOf(table: Table, seat: string): string {
  return table.seats[seat]?.name ?? seat;
}

function headline(props: ResultProps, table: Table, ending: Ending): string {
  const words = stringsOf(props.state);
  const winners = Object.entries(ending.places).filter(([, place]) => place.place === 1);
  const [first] = winners;
  if (ending.how === "void" || first === undefined) return words.void;
  const { score: best } = first[1];
  const beaten = Object.values(ending.places).some(({ score }) => score > best);
  const score = pointsSaid(props, best);
  const names = winners.map(([seat]) => nameOf(table, seat));
  // Others gave up, or lost their capital: who has won so has won whatever the scores were then.
  if ((ending.how === "resigned" || beaten) && winners.length === 1)
    return words.winsWithoutScore(names[0] ?? "");
  return winners.length > 1
    ? words.draw(names.join(", "), score)
    : words.wins(names[0] ?? "", score);
}

/** The letter on a seat's piece, as in the list of seats. */
function letterOf({ board, position }: ResultProps, seat: number): { readonly text?: string } {
  const letter = position === undefined ? undefined : board?.seat?.(seat, position)?.letter;
  return letter === undefined ? {} : { text: letter };
}

/** So small a part of the longest bar has no room for a number; each letter of it asks for more. */
const LABELLED = 0.12;
const LETTER = 0.03;

/** One seat's points as a bar; negative parts have no length, and stand in the table. */
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
  const parts = ending.breakdown.filter((part) => part.seat === Number(seat) && part.points > 0);
  return (
    <div class="bar" aria-hidden="true">
      {parts.map((part) => (
        <i
          key={part.key}
          class={`seat-bar-${((Number(seat) - 1) % 6) + 1}`}
          style={{ width: `${(100 * part.points) / most}%` }}
        >
          {fits(part.points) && <span>{written(part.points)}</span>}
        </i>
      ))}
    </div>
  );
}

function Breakdown(props: ResultProps & { readonly ending: Ending }): VNode {
  const { state, emit, room, desk, ending } = props;
  const words = stringsOf(state);
  const table = tableOf(room);
  const body = bodyOf(state, room.game);
  const keys = [...new Map(ending.breakdown.map((part) => [part.key, part.rule]))];
  const seats = Object.keys(ending.places);
  return (
    <details>
      <summary>{words.breakdown}</summary>
      <div class="scroll">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">{words.rule}</th>
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
                    onClick={() => emit({ type: "said", inputKey: desk, text: `/rules ${rule}` })}
                  >
                    {rule}
                  </button>
                </th>
                {seats.map((seat) => (
                  <td key={seat}>
                    {pointsSaid(
                      props,
                      ending.breakdown.find(
                        (part) => part.key === key && part.seat === Number(seat),
                      )?.points ?? 0,
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
  const { state, emit, room, desk } = props;
  const words = stringsOf(state);
  const table = tableOf(room);
  const { ending } = table;
  if (ending === undefined) return null;
  if (inputOf(state, desk).putAway) {
    return (
      <button
        type="button"
        class="btn result-back"
        onClick={() => emit({ type: "put_away", inputKey: desk, putAway: false })}
      >
        {words.showResult}
      </button>
    );
  }
  const places = Object.entries(ending.places).toSorted((a, b) => a[1].place - b[1].place);
  const most = Math.max(1, ...places.map(([, place]) => place.score));
  const seats = Object.keys(table.seats).length;
  const say = (text: string): void => emit({ type: "said", inputKey: desk, text });
  return (
    <section class="result" aria-labelledby="result">
      <header>
        <h2 id="result">{headline(props, table, ending)}</h2>
        <button
          type="button"
          class="btn flat"
          aria-label={words.close}
          onClick={() => emit({ type: "put_away", inputKey: desk, putAway: true })}
        >
          ×
        </button>
      </header>
      {ending.how !== "void" && <p class="quiet">{howSaid(props, ending)}</p>}
      <ol>
        {places.map(([seat, place]) => (
          <li key={seat}>
            <div class="standing">
              <b class="place">{words.rank(place.place)}</b>
              <SeatMark seat={Number(seat)} many={seats > 6} {...letterOf(props, Number(seat))} />
              <bdi>{nameOf(table, seat)}</bdi>
              {place.place === 1 && ending.how !== "void" && (
                <span class="badge">{words.winner}</span>
              )}
              <b class="score">{pointsSaid(props, place.score)}</b>
            </div>
            <Bar
              ending={ending}
              seat={seat}
              most={most}
              written={(points) => pointsSaid(props, points)}
            />
          </li>
        ))}
      </ol>
      {ending.breakdown.length > 0 && <Breakdown {...props} ending={ending} />}
      <Fairness words={words} commit={table.commit} seed={ending.seed} />
      <div class="doors">
        <button type="button" class="btn act" onClick={() => say("/again")}>
          {words.playAgain}
        </button>
        <button
          type="button"
          class="btn"
          onClick={() =>
            emit({ type: "went", address: { at: "game", id: table.game_id, move: 0 } })
          }
        >
          {words.replay}
        </button>
        <Papers {...props} />
      </div>
      <AnalysisOf
        state={state}
        emit={emit}
        game={table.game_id}
        onStep={(move) => emit({ type: "went", address: { at: "game", id: table.game_id, move } })}
      />
    </section>
  );
}
