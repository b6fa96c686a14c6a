// Beside the sheet: dice, orientations, special routes, and points.

import type { VNode } from "preact";
import {
  COLOURED_SEATS,
  Icon,
  linesWith,
  number,
  PlaceButton,
  type Seat,
} from "../../board/index.ts";
import { FactTable, hasLine, joined, SeatName, seatsOf, turnNames } from "../../board/parts.ts";
import { CELL } from "./piecePaths.ts";
import {
  type At,
  armsOf,
  chosenPiece,
  diceOf,
  orientationsOf,
  pieceOf,
  ROUTES,
  routesUsed,
  type Sheet,
} from "./selectors.ts";
import { Ink } from "./sheet.tsx";
import { armsText, pieceName, strings } from "./strings.ts";

/** A piece on a die, a card or a button. */
function Picture(props: { position: At; piece: string; turn?: string; class?: string }): VNode {
  const { position, piece } = props;
  const form = position.fixed.pieces[piece];
  const turn = props.turn ?? Object.keys(form?.turns ?? {})[0] ?? "0";
  const half = CELL / 2 + 2;
  return (
    <svg
      class="picture"
      viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`}
      aria-hidden="true"
      data-piece="die"
      data-state={piece}
    >
      <Ink
        arms={armsOf(position.fixed, piece, turn)}
        station={form?.station ?? false}
        class={props.class ?? "draft"}
      />
    </svg>
  );
}

export function Tick(): VNode {
  return (
    <svg class="tick" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M2 9l5 6L16 3" />
    </svg>
  );
}

export function Dice({ position }: { readonly position: At }): VNode {
  const { view, moves, draft, lang } = position;
  const labels = strings(lang);
  const dice = diceOf(position);
  const { square } = draft.slots;
  const chosenAt =
    draft.verb === "draw"
      ? dice.findIndex(({ face, drawn }) => !drawn && face === draft.slots.face)
      : -1;
  const count = dice.filter(({ drawn }) => drawn).length;
  const hasDraft = position.seat !== undefined && view.seats[position.seat]?.draft !== undefined;
  return (
    <div class="panel dice">
      <h3>
        {labels.dice(view.round)}
        {hasDraft && <span class="soft"> {labels.drawnOf(count, dice.length)}</span>}
      </h3>
      <div class="dice-row">
        {dice.map(({ face, drawn }, at) => {
          const lines = drawn ? [] : linesWith(moves, { face }, "draw");
          const may =
            lines.length > 0 &&
            (square === undefined || draft.complete !== undefined || hasLine(lines, { square }));
          const label = labels.die(at + 1, pieceName(face, lang));
          return (
            <PlaceButton
              key={`die ${at}`}
              id={`die ${at + 1} ${face}`}
              label={drawn ? `${label}${labels.and}${labels.drawn}` : label}
              may={may}
              chosen={at === chosenAt}
              idle={lines.length === 0}
              class={drawn ? "die drawn" : "die"}
            >
              <Picture position={position} piece={face} class={drawn ? "grey" : "draft"} />
              {drawn && <Tick />}
            </PlaceButton>
          );
        })}
      </div>
    </div>
  );
}

export function Specials({ position, sheet }: { position: At; sheet: Sheet }): VNode {
  const { moves, draft, lang } = position;
  const labels = strings(lang);
  const used = routesUsed(sheet);
  return (
    <div class="panel specials">
      <h3>
        {labels.special}
        {used.size > 0 && <span class="soft"> {labels.specialUsed(used.size)}</span>}
      </h3>
      <div class="dice-row">
        {ROUTES.map((route) => {
          const may = hasLine(moves, { route }, "special");
          const name = pieceName(`special_${route}`, lang);
          const arms = armsOf(position.fixed, `special_${route}`, "0");
          return (
            <PlaceButton
              key={route}
              id={`route ${route}`}
              label={joined(
                labels.and,
                `s${route}`,
                name,
                armsText(arms, lang),
                used.has(route) && labels.used,
              )}
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

/**
 * All orientations of the chosen piece that fit into the chosen square, and the button that sends.
 */
export function Orientations({ position }: { readonly position: At }): VNode {
  const { draft, lang } = position;
  const labels = strings(lang);
  const chosen = chosenPiece(position);
  const orientations = orientationsOf(position);
  const { square } = draft.slots;
  const piece = chosen === undefined ? undefined : pieceOf(chosen.verb, draft.slots);
  if (piece === undefined || square === undefined || orientations.length === 0) {
    return (
      <div class="panel ways">
        <p class="soft">{labels.turnsHere}</p>
        <Go position={position} />
      </div>
    );
  }
  return (
    <div class="panel ways">
      <h3>{labels.orientations(square, pieceName(piece, lang), orientations.length)}</h3>
      <div class="dice-row">
        {orientations.map((turn) => (
          <PlaceButton
            key={turn}
            id={`turn ${turn}`}
            label={armsText(armsOf(position.fixed, piece, turn), lang)}
            may={turn !== draft.slots.turn}
            chosen={turn === draft.slots.turn}
            class="die"
          >
            <Picture position={position} piece={piece} turn={turn} />
          </PlaceButton>
        ))}
      </div>
      {orientations.length > 1 && <p class="soft help">{labels.turnHelp}</p>}
      <Go position={position} />
    </div>
  );
}

/** What to do next, while no piece is planned. */
export function helpFor(position: At): string {
  const { draft, moves, lang } = position;
  const labels = strings(lang);
  const erased = erasedBy(draft.text);
  if (erased !== undefined) return labels.erased(erased);
  if (moves.some((line) => line.verb === "draw")) return labels.planHelp;
  if (moves.some((line) => line.verb === "special")) return labels.specialHelp;
  if (moves.length > 0) return labels.doneHelp;
  return labels.waiting(turnNames(position, labels.and));
}

/** The square whose drawing the line would take back. */
function erasedBy(text: string): string | undefined {
  return /^\/erase ([A-G][1-7])$/.exec(text)?.[1];
}

/**
 * The one filled button: draw the planned piece, or take back. It is always there, so that the
 * layout does not move and the focus stays.
 */
export function Go({ position }: { readonly position: At }): VNode {
  const { draft, lang } = position;
  const labels = strings(lang);
  const erased = erasedBy(draft.text);
  const { square } = draft.slots;
  const ready = erased !== undefined || (draft.complete !== undefined && square !== undefined);
  const draw = ready && square !== undefined ? labels.drawIt(square) : labels.draw;
  const label = erased === undefined ? draw : labels.eraseIt(erased);
  return <PlaceButton id="go" label={label} class="go main" may={ready} idle={!ready} />;
}

/**
 * Ends the round. On a wide screen it is never at the position of the button that was just clicked.
 */
export function Done({ position }: { readonly position: At }): VNode {
  const labels = strings(position.lang);
  const may = mayEnd(position);
  const armed = position.draft.complete?.verb === "done";
  return (
    <PlaceButton
      id="done"
      label={may ? labels.doneRound : labels.notDone}
      class="go main"
      may={may}
      idle={!may}
      chosen={armed}
    >
      {armed ? labels.doneSure : labels.done}
    </PlaceButton>
  );
}

/** Whether this round can be ended now. */
export function mayEnd(position: At): boolean {
  return position.moves.some((line) => line.verb === "done");
}

/** A phone has no room for all orientations: this button turns to the next. */
export function TurnButton({ position }: { readonly position: At }): VNode | null {
  const label = strings(position.lang).next;
  if (position.draft.complete === undefined || orientationsOf(position).length < 2) return null;
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
  const { lang, view } = position;
  const labels = strings(lang);
  const many = seatsOf(view).length > COLOURED_SEATS;
  const name = (seat: Seat): VNode => (
    <>
      <SeatName position={position} seat={seat} size={26} many={many} />
      {view.seats[seat]?.done && !view.over && <Tick />}
      {view.seats[seat]?.done && !view.over && <span class="vh">{labels.isDone}</span>}
    </>
  );
  const parts = [labels.exits, labels.road, labels.rail, labels.centre, labels.open, labels.total];
  return (
    <FactTable
      class={names ? "points" : "points alone"}
      heads={names ? [labels.seat, ...parts] : parts}
      rows={sheets.map(({ seat, points }) => ({
        key: seat,
        ...(names && { head: name(seat) }),
        cells: [
          points.exits,
          points.road,
          points.railway,
          points.centre,
          number(0 - points.open),
          <b key="total">{number(points.total)}</b>,
        ],
      }))}
    />
  );
}

export function PointsPanel({ position, sheet }: { position: At; sheet: Sheet }): VNode {
  const labels = strings(position.lang);
  const drawing =
    sheet.seat === position.seat && !position.view.over && !position.view.seats[sheet.seat]?.done;
  return (
    <div class="panel stop">
      <h3>{drawing ? labels.ifStop : labels.points}</h3>
      <PointsTable position={position} sheets={[sheet]} names={false} />
      {drawing && <Done position={position} />}
    </div>
  );
}
