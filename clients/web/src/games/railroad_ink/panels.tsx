// Beside the sheet: dice, ways to turn, special routes, points, and everybody else's sheets.

import type { VNode } from "preact";
import {
  type Act,
  COLOURED_SEATS,
  Icon,
  linesWith,
  nameOf,
  PlaceButton,
  type Seat,
  SeatMark,
} from "../../board/index.ts";
import { CELL } from "./piecePaths.ts";
import {
  type At,
  armsOf,
  chosenPiece,
  diceOf,
  justDrawn,
  pieceOf,
  ROUTES,
  routesUsed,
  type Sheet,
  seatsOf,
  sheetOf,
  waysOf,
  whoIs,
} from "./selectors.ts";
import { Ink, SmallSheet } from "./sheet.tsx";
import { armsSaid, pieceName, words } from "./strings.ts";

type Doing = (act: Act) => void;

/** A piece on a die, a card or a button. */
function Picture(props: { position: At; piece: string; turn?: string; class?: string }): VNode {
  const { position, piece } = props;
  const form = position.fixed.pieces[piece];
  const turn = props.turn ?? Object.keys(form?.turns ?? {})[0] ?? "0";
  const half = CELL / 2 + 2;
  return (
    <svg class="picture" viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`} aria-hidden="true">
      <Ink
        arms={armsOf(position.fixed, piece, turn)}
        station={form?.station ?? false}
        class={props.class ?? "draft"}
      />
    </svg>
  );
}

function Tick(): VNode {
  return (
    <svg class="tick" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M2 9l5 6L16 3" />
    </svg>
  );
}

export function Dice({ position }: { readonly position: At }): VNode {
  const { view, moves, draft, lang } = position;
  const said = words(lang);
  const dice = diceOf(position);
  const { square } = draft.slots;
  const chosenAt =
    draft.verb === "draw"
      ? dice.findIndex(({ face, drawn }) => !drawn && face === draft.slots.face)
      : -1;
  const count = dice.filter(({ drawn }) => drawn).length;
  const mine = position.seat !== undefined && view.seats[position.seat]?.draft !== undefined;
  return (
    <div class="panel dice">
      <h3>
        {said.dice(view.round)}
        {mine && <span class="soft"> {said.drawnOf(count, dice.length)}</span>}
      </h3>
      <div class="dice-row">
        {dice.map(({ face, drawn }, at) => {
          const lines = drawn ? [] : linesWith(moves, { face }, "draw");
          const may =
            lines.length > 0 &&
            (square === undefined ||
              draft.complete !== undefined ||
              linesWith(lines, { square }).length > 0);
          const label = said.die(at + 1, pieceName(face, lang));
          return (
            <PlaceButton
              key={`die ${at}`}
              id={`die ${at + 1} ${face}`}
              label={drawn ? `${label}${said.and}${said.drawn}` : label}
              may={may}
              chosen={at === chosenAt}
              idle={lines.length === 0}
              class={drawn ? "die drawn" : "die"}
            >
              <Picture position={position} piece={face} class={drawn ? "grey" : "draft"} />
              {drawn && <Tick />}
              <b>{at + 1}</b>
            </PlaceButton>
          );
        })}
      </div>
    </div>
  );
}

export function Specials({ position, sheet }: { position: At; sheet: Sheet }): VNode {
  const { moves, draft, lang } = position;
  const said = words(lang);
  const used = routesUsed(sheet);
  return (
    <div class="panel specials">
      <h3>
        {said.special}
        {used.size > 0 && <span class="soft"> {said.specialUsed(used.size)}</span>}
      </h3>
      <div class="dice-row">
        {ROUTES.map((route) => {
          const may = linesWith(moves, { route }, "special").length > 0;
          const name = pieceName(`special_${route}`, lang);
          const arms = armsOf(position.fixed, `special_${route}`, "0");
          return (
            <PlaceButton
              key={route}
              id={`route ${route}`}
              label={[`s${route}`, name, armsSaid(arms, lang), used.has(route) ? said.used : ""]
                .filter(Boolean)
                .join(said.and)}
              may={may}
              chosen={draft.verb === "special" && draft.slots.route === route}
              idle={!may}
              class={used.has(route) ? "die drawn" : "die"}
            >
              <Picture
                position={position}
                piece={`special_${route}`}
                class={may ? "draft" : "grey"}
              />
              {used.has(route) && <Tick />}
              <b>s{route}</b>
            </PlaceButton>
          );
        })}
      </div>
    </div>
  );
}

/** All ways in which the chosen piece fits into the chosen square, and the button that sends. */
export function Ways({ position }: { readonly position: At }): VNode {
  const { draft, lang } = position;
  const said = words(lang);
  const chosen = chosenPiece(position);
  const ways = waysOf(position);
  const { square } = draft.slots;
  const piece = chosen === undefined ? undefined : pieceOf(chosen.verb, draft.slots);
  if (piece === undefined || square === undefined || ways.length === 0) {
    return (
      <div class="panel ways">
        <p class="soft">{helpFor(position)}</p>
        <Go position={position} />
      </div>
    );
  }
  return (
    <div class="panel ways">
      <h3>{said.ways(square, pieceName(piece, lang), ways.length)}</h3>
      <div class="dice-row">
        {ways.map((turn) => (
          <PlaceButton
            key={turn}
            id={`turn ${turn}`}
            label={armsSaid(armsOf(position.fixed, piece, turn), lang)}
            may={turn !== draft.slots.turn}
            chosen={turn === draft.slots.turn}
            class="die"
          >
            <Picture position={position} piece={piece} turn={turn} />
          </PlaceButton>
        ))}
      </div>
      {ways.length > 1 && <p class="soft help">{said.turnHelp}</p>}
      <Go position={position} />
    </div>
  );
}

/** What is to be done next, while nothing is planned. */
export function helpFor(position: At): string {
  const { draft, moves, room, lang } = position;
  const said = words(lang);
  const erased = erasedBy(draft.text);
  if (erased !== undefined) return said.erased(erased);
  if (moves.some((line) => line.verb === "draw")) return said.planHelp;
  if (moves.some((line) => line.verb === "special")) return said.specialHelp;
  if (moves.length > 0) return said.doneHelp;
  return said.waiting(room.turn.map((seat) => whoIs(position, seat)).join(said.and));
}

/** The square that the line would take back. */
function erasedBy(text: string): string | undefined {
  return /^\/erase ([A-G][1-7])$/.exec(text)?.[1];
}

/** The one filled button: draw what is planned, or take back. Always there, so that nothing moves
 * and the focus stays. */
export function Go({ position }: { readonly position: At }): VNode {
  const { draft, lang } = position;
  const said = words(lang);
  const erased = erasedBy(draft.text);
  const { square } = draft.slots;
  const ready = erased !== undefined || (draft.complete !== undefined && square !== undefined);
  const label =
    erased === undefined ? said.drawIt(ready ? square : undefined) : said.eraseIt(erased);
  return (
    <PlaceButton id="go" label={label} class="go" may={ready} idle={!ready}>
      {label}
    </PlaceButton>
  );
}

/** Ends the round. On a desk it never stands where the other button was just clicked. */
export function Done({ position }: { readonly position: At }): VNode {
  const said = words(position.lang);
  const may = mayEnd(position);
  const armed = position.draft.complete?.verb === "done";
  return (
    <PlaceButton
      id="done"
      label={may ? said.doneRound : said.notDone}
      class="go"
      may={may}
      idle={!may}
      chosen={armed}
    >
      {armed ? said.doneSure : said.done} <span class="mono">/done</span>
    </PlaceButton>
  );
}

/** Whether this round can be ended now. */
export function mayEnd(position: At): boolean {
  return position.moves.some((line) => line.verb === "done");
}

/** A phone has no room for all ways: this one turns to the next. */
export function TurnButton({ position }: { readonly position: At }): VNode | null {
  const label = words(position.lang).next;
  if (position.draft.complete === undefined || waysOf(position).length < 2) return null;
  return (
    <PlaceButton id="next" label={label} class="next">
      <Icon name="rot" />
    </PlaceButton>
  );
}

export function PointsTable(props: {
  readonly position: At;
  readonly sheets: readonly Sheet[];
  readonly names: boolean;
}): VNode {
  const { position, sheets, names } = props;
  const { lang, view, room } = position;
  const said = words(lang);
  const many = seatsOf(view).length > COLOURED_SEATS;
  return (
    <table class={names ? "facts points" : "facts points alone"}>
      <thead>
        <tr>
          {names && <th scope="col">{said.seat}</th>}
          <th scope="col">{said.exits}</th>
          <th scope="col">{said.road}</th>
          <th scope="col">{said.rail}</th>
          <th scope="col">{said.centre}</th>
          <th scope="col">{said.open}</th>
          <th scope="col">{said.total}</th>
        </tr>
      </thead>
      <tbody>
        {sheets.map(({ seat, points }) => (
          <tr key={seat}>
            {names && (
              <th scope="row">
                <SeatMark seat={seat} size={26} many={many} />
                <bdi>{nameOf(room.seats, seat)}</bdi>
                {view.seats[seat]?.done && !view.over && <Tick />}
                {view.seats[seat]?.done && !view.over && <span class="vh">{said.isDone}</span>}
              </th>
            )}
            <td>{points.exits}</td>
            <td>{points.road}</td>
            <td>{points.railway}</td>
            <td>{points.centre}</td>
            <td>{points.open === 0 ? 0 : `−${points.open}`}</td>
            <td>
              <b>{points.total < 0 ? `−${-points.total}` : points.total}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function PointsPanel({ position, sheet }: { position: At; sheet: Sheet }): VNode {
  const said = words(position.lang);
  const drawing =
    sheet.seat === position.seat && !position.view.over && !position.view.seats[sheet.seat]?.done;
  return (
    <div class="panel stop">
      <h3>{drawing ? said.ifStop : said.points}</h3>
      <PointsTable position={position} sheets={[sheet]} names={false} />
      {drawing && <Done position={position} />}
    </div>
  );
}

function OtherSheet(props: { position: At; act: Doing; seat: Seat; large: boolean }): VNode {
  const { position, act, seat, large } = props;
  const { view, room, fixed, since, lang } = position;
  const said = words(lang);
  const sheet = sheetOf(position, seat);
  const many = seatsOf(view).length > COLOURED_SEATS;
  const { done = false } = view.seats[seat] ?? {};
  const state = view.over ? "" : done ? said.isDone : said.draws;
  const name = nameOf(room.seats, seat);
  return (
    <button
      type="button"
      class="other"
      aria-pressed={large}
      onClick={() => act({ act: "look", look: { seat: large ? undefined : seat, tab: "board" } })}
    >
      <SmallSheet fixed={fixed} sheet={sheet} just={justDrawn(since, seat)} />
      <span class="caption">
        <SeatMark seat={seat} size={26} many={many} />
        <bdi>{name}</bdi>
        {done && !view.over && <Tick />}
        <b>{sheet.points.total}</b>
        <span class="vh">
          {said.clause}
          {said.sheetOf(name)}
          {said.and}
          {state}
        </span>
      </span>
    </button>
  );
}

/** Everybody else's sheets; a click shows one large. */
export function Others(props: { position: At; act: Doing; shown: Seat }): VNode | null {
  const { position, act, shown } = props;
  const { view, seat, lang } = position;
  const said = words(lang);
  const others = seatsOf(view).filter((each) => each !== seat);
  if (others.length === 0) return null;
  return (
    <div class="panel others">
      <h3>{view.over || view.round < 2 ? said.others : said.othersAsOf(view.round - 1)}</h3>
      <div class="sheets">
        {others.map((each) => (
          <OtherSheet key={each} position={position} act={act} seat={each} large={each === shown} />
        ))}
      </div>
    </div>
  );
}
