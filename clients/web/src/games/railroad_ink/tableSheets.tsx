// The other players' sheets on the table.

import type { VNode } from "preact";
import { type Act, COLOURED_SEATS, type Seat } from "../../board/index.ts";
import { playerName, SeatName, seatsOf } from "../../board/parts.ts";
import { Tick } from "./panels.tsx";
import { type At, justDrawn, sheetOf } from "./selectors.ts";
import { SmallSheet } from "./sheet.tsx";
import { strings } from "./strings.ts";
import "./table.css";

type Doing = (act: Act) => void;

function OtherSheet(props: { position: At; act: Doing; seat: Seat; large: boolean }): VNode {
  const { position, act, seat, large } = props;
  const { view, fixed, since, lang } = position;
  const labels = strings(lang);
  const sheet = sheetOf(position, seat);
  const many = seatsOf(view).length > COLOURED_SEATS;
  const { done = false } = view.seats[seat] ?? {};
  const state = view.over ? "" : done ? labels.isDone : labels.draws;
  return (
    <button
      type="button"
      class="other"
      aria-pressed={large}
      onClick={() => act({ act: "look", look: { seat: large ? undefined : seat, tab: "board" } })}
    >
      <SmallSheet fixed={fixed} sheet={sheet} just={justDrawn(since, seat)} />
      <span class="caption">
        <SeatName position={position} seat={seat} size={26} many={many} />
        {done && !view.over && <Tick />}
        <b>{sheet.points.total}</b>
        <span class="vh">
          {labels.clause}
          {labels.sheetOf(playerName(position, seat))}
          {labels.and}
          {state}
        </span>
      </span>
    </button>
  );
}

/** The other players' sheets; a click shows one large. */
export function OtherBoards(props: { position: At; act: Doing; shown: Seat }): VNode | null {
  const { position, act, shown } = props;
  const { view, seat, lang } = position;
  const labels = strings(lang);
  const otherSeats = seatsOf(view).filter((each) => each !== seat);
  if (otherSeats.length === 0) return null;
  return (
    <div class="panel others">
      <h3>
        {view.over || view.round < 2
          ? labels.otherPlayers
          : labels.otherPlayersAsOf(view.round - 1)}
      </h3>
      <div class="sheets">
        {otherSeats.map((each) => (
          <OtherSheet key={each} position={position} act={act} seat={each} large={each === shown} />
        ))}
      </div>
    </div>
  );
}
