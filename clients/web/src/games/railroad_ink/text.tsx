// The sheets as text: drawings, the arms that meet each free square, fitting pieces, all points.

import type { VNode } from "preact";
import { type BoardProps, nameOf } from "../../board/index.ts";
import { PlaceList, Scroll, seatsOf, turnNames } from "../../board/parts.ts";
import { Dice, Done, Orientations, PointsTable, Specials } from "./panels.tsx";
import {
  type At,
  erasable,
  type Fixed,
  linesFor,
  openEnds,
  type Sheet,
  SQUARES,
  sheetOf,
  shownSeat,
} from "./selectors.ts";
import { squareLabel } from "./sheet.tsx";
import { sideName, strings } from "./strings.ts";
import type { Event, View } from "./view.gen.ts";

function SheetText({ position, sheet }: { position: At; sheet: Sheet }): VNode {
  const { lang, room, seat, draft } = position;
  const labels = strings(lang);
  const isMySheet = sheet.seat === seat;
  const drawn = SQUARES.filter((square) => sheet.strokes.has(square));
  const ends = openEnds(sheet);
  const legal = isMySheet
    ? SQUARES.filter(
        (square) => !sheet.strokes.has(square) && linesFor(position, square).length > 0,
      )
    : [];
  const places = (squares: readonly string[]) =>
    squares.map((square) => ({
      id: `square ${square}`,
      label: squareLabel(position, sheet, square),
      may: isMySheet && (legal.includes(square) || erasable(position, square)),
      chosen: draft.slots.square === square,
    }));
  return (
    <section>
      <h2>{isMySheet ? labels.myBoard : labels.sheetOf(nameOf(room.seats, sheet.seat))}</h2>
      {drawn.length === 0 ? <p>{labels.nothing}</p> : <PlaceList places={places(drawn)} />}
      {ends.length > 0 && (
        <p>
          {labels.openEnds}:{" "}
          {ends.map((end) => `${end.square} ${sideName(end.side, lang)}`).join(labels.and)}
        </p>
      )}
      {legal.length > 0 && (
        <>
          <h3>{labels.mayDraw}</h3>
          <PlaceList places={places(legal)} />
        </>
      )}
    </section>
  );
}

export function AsText({ position }: BoardProps<View, Event, Fixed>): VNode {
  const { view, seat, lang } = position;
  const labels = strings(lang);
  const sheets = seatsOf(view).map((each) => sheetOf(position, each));
  const mySheet = seat === undefined ? undefined : sheetOf(position, seat);
  const waiting = turnNames(position, labels.and);
  const first = mySheet ?? sheetOf(position, shownSeat(position));
  return (
    <Scroll class="board-text fit">
      <h2>{labels.now}</h2>
      <p>{view.over ? labels.over : waiting === "" ? "" : labels.waiting(waiting)}</p>
      {!view.over && <Dice position={position} />}
      {mySheet !== undefined && !view.over && (
        <>
          <Specials position={position} sheet={mySheet} />
          <Orientations position={position} />
          <Done position={position} />
        </>
      )}
      <SheetText position={position} sheet={first} />
      <h2>{labels.score}</h2>
      <PointsTable position={position} sheets={sheets} names />
      {sheets
        .filter((sheet) => sheet.seat !== first.seat)
        .map((sheet) => (
          <SheetText key={sheet.seat} position={position} sheet={sheet} />
        ))}
    </Scroll>
  );
}
