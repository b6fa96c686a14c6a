// The seats: piece, name, one small fact, clock, score; and whose turn it is.

import type { VNode } from "preact";
import type { Board, Position, SeatFacts } from "../board/contract.ts";
import { COLOURED_SEATS, number, SeatMark } from "../board/index.ts";
import type { Chair } from "../protocol/table.gen.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { serverNow, tableOf } from "../state/selectors.ts";
import { clockText } from "../strings/index.ts";
import { PageLink } from "./pageLink.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** A score with at least this many digits is shown in thousands if space is short. */
const LONG_SCORE = 100_000;

function Score({ score }: { readonly score: number | undefined }): VNode | null {
  if (score === undefined) return <span class="score" />;
  if (Math.abs(score) < LONG_SCORE) return <span class="score">{number(score)}</span>;
  return (
    <span class="score">
      <span class="wide-only">{number(score)}</span>
      <span class="narrow-only">{Math.round(score / 1000)}k</span>
    </span>
  );
}

/** The time left on a clock: a running one counts to its deadline. */
function clockOf(chair: Chair, now: number): number | undefined {
  return chair.deadline === undefined ? chair.bank : chair.deadline - now;
}

/** A person's name leads to their page, where they can be muted, blocked and reported. */
function Name({
  emit,
  name,
  human = true,
}: Pick<ViewProps, "emit"> & { readonly name: string; readonly human?: boolean }): VNode {
  const shown = <bdi>{name}</bdi>;
  if (!human) return shown;
  return (
    <PageLink emit={emit} to={{ at: "person", name }}>
      {shown}
    </PageLink>
  );
}

function SeatRow(
  props: ViewProps & {
    readonly seat: number;
    readonly room: RoomView;
    readonly facts: SeatFacts;
    readonly many: boolean;
  },
): VNode {
  const { state, seat, room, facts, many } = props;
  const strings = stringsOf(state);
  const table = tableOf(room);
  const chair = table.seats[seat];
  if (!chair) return <li hidden />;
  const turn = table.turn.includes(seat);
  // A bot plays for a player who is lost: the table does not wait.
  const away = chair.bot === undefined && room.away.includes(chair.name);
  const clock = clockOf(chair, serverNow(state));
  const marks = [
    room.eyes.includes(seat) && strings.you,
    chair.bot !== undefined && chair.human && strings.standIn,
    chair.resigned !== undefined && strings.resigned,
    (chair.away_until ?? 0) > serverNow(state)
      ? strings.onVacation(new Date(chair.away_until ?? 0))
      : away && strings.away,
    chair.peek && strings.looksIn(chair.peek.name),
    facts.note,
  ].filter(Boolean);
  return (
    <li
      class={`seat${turn ? " turn" : ""}${away ? " away" : ""}`}
      aria-current={turn ? "true" : undefined}
    >
      <SeatMark seat={seat} many={many} text={facts.letter} />
      <b>
        <Name {...props} name={chair.name} human={chair.human} />{" "}
        {turn && <span class="to-move">{strings.toMove}</span>} <small>{marks.join(" · ")}</small>
      </b>
      <span class="clock">{clock === undefined ? "" : clockText(clock, strings)}</span>
      <Score score={facts.score} />
    </li>
  );
}

export function Seats(
  props: ViewProps & {
    readonly room: RoomView;
    readonly board: Board | undefined;
    readonly position: Position | undefined;
  },
): VNode {
  const { state, room, board, position } = props;
  const strings = stringsOf(state);
  const seats = Object.keys(tableOf(room).seats).map(Number);
  const many = seats.length > COLOURED_SEATS;
  const names = Object.values(tableOf(room).seats).map((chair) => chair.name);
  const unseated = room.here.filter((name) => !names.includes(name));
  return (
    <section class="seats-frame" aria-label={strings.seats}>
      <ul class={many ? "seats many" : "seats"} aria-label={strings.seats} id="seats" tabIndex={-1}>
        {seats.map((seat) => (
          <SeatRow
            key={seat}
            {...props}
            seat={seat}
            many={many}
            facts={position === undefined ? {} : (board?.seat?.(seat, position) ?? {})}
          />
        ))}
      </ul>
      {board?.Summary && position && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <div class={`summary-card board-${position.key}`} tabIndex={0}>
          <board.Summary position={position} />
        </div>
      )}
      {unseated.length > 0 && (
        <p class="watchers">
          {strings.watchers}
          {unseated.map((name) => [" ", <Name key={name} {...props} name={name} />])}
        </p>
      )}
    </section>
  );
}
