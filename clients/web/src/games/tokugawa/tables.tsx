// Beside the map: contracts with the pieces on their towns, and the stocks of both sides.

import type { VNode } from "preact";
import { type Act, PlaceButton, SeatMark } from "../../board/index.ts";
import { OverPanel } from "../../board/overPanel.tsx";
import { type FactRow, FactTable, playerName, SeatName, seatsOf } from "../../board/parts.ts";
import { livesText } from "./ariaLabels.ts";
import { art } from "./drawings.ts";
import { WeaponMark } from "./icons.tsx";
import {
  type At,
  BUILDINGS,
  type Contract,
  letterOfSeat,
  SIDES,
  standerOn,
  townName,
  WEAPONS,
} from "./selectors.ts";
import { buildingName, kindName, sideName, strings } from "./strings.ts";

function ContractTerms({ position, contract }: { position: At; contract: Contract }): VNode {
  const { lang } = position;
  const labels = strings(lang);
  return (
    <span class="asked">
      {contract.towns.map((town) => {
        const piece = standerOn(position, town);
        return (
          <span key={town} class="town">
            {townName(position, town)}
            {piece !== undefined && (
              <>
                <SeatMark seat={piece.owner} size={15} text={letterOfSeat(position, piece.owner)} />
                <span class="vh">{labels.controlledBy("", playerName(position, piece.owner))}</span>
              </>
            )}
          </span>
        );
      })}
      {contract.ships > 0 && <span class="town">{labels.ships(contract.ships)}</span>}
    </span>
  );
}

/** The open contracts, and their requirements. */
export function Contracts(props: {
  readonly position: At;
  /** Without the rows below them. */
  readonly brief?: boolean;
}): VNode {
  const { position, brief = false } = props;
  const { view, fixed, lang } = position;
  const labels = strings(lang);
  return (
    <ul class="entries contracts">
      {SIDES.map((side) => {
        const open = view.open[side];
        const contract = open === undefined ? undefined : fixed.contracts[open];
        const left = view.stacks[side]?.length ?? 0;
        return (
          <li key={side}>
            {contract === undefined ? (
              <b>{sideName(side, lang)}</b>
            ) : (
              <PlaceButton id={`contract ${open}`} label={contract[lang]} class="contract" idle />
            )}{" "}
            <span class={brief ? "worth" : "soft"}>
              {contract === undefined ? labels.none : labels.points(contract.points)}
              {!brief && [labels.and, sideName(side, lang), labels.and, labels.left(left)].join("")}
            </span>
            {contract !== undefined && <ContractTerms position={position} contract={contract} />}
          </li>
        );
      })}
    </ul>
  );
}

/** The stocks of both sides: koku, samurai and pieces, contracts, lives of the capital. */
export function Stocks({ position }: { readonly position: At }): VNode {
  const { view, fixed, lang } = position;
  const labels = strings(lang);
  const { BuildingMark } = art.get();
  const seats = seatsOf(view);
  const row = (
    key: string,
    head: VNode | string,
    cell: (seat: number) => string | number,
  ): FactRow => ({ key, head, cells: seats.map(cell) });
  const owned = BUILDINGS.filter((each) =>
    seats.some((seat) => each in (view.seats[seat]?.pieces ?? {})),
  );
  const lives = (seat: number): string => {
    const piece = standerOn(position, view.seats[seat]?.capital ?? "");
    const stands = piece?.kind === "capital" && piece.owner === seat;
    return stands ? livesText(piece, lang) : labels.none;
  };
  const contracts = (seat: number): string =>
    (view.seats[seat]?.contracts ?? [])
      .map((each) => fixed.contracts[each]?.[lang] ?? each)
      .join(labels.and) || labels.none;
  return (
    <FactTable
      class="stocks"
      heads={[
        labels.stock,
        ...seats.map((seat) => (
          <SeatName
            key={seat}
            position={position}
            seat={seat}
            size={18}
            text={letterOfSeat(position, seat)}
          />
        )),
      ]}
      rows={[
        row("koku", labels.koku, (seat) => view.seats[seat]?.koku ?? 0),
        row("capital", kindName(position, "capital"), lives),
        ...WEAPONS.map((weapon) =>
          row(
            weapon,
            <>
              <WeaponMark kind={weapon} size={15} /> {kindName(position, weapon)}
            </>,
            (seat) => view.seats[seat]?.samurai[weapon] ?? 0,
          ),
        ),
        ...owned.map((each) =>
          row(
            each,
            <>
              <BuildingMark building={each} /> {buildingName(position, each)}
            </>,
            (seat) => view.seats[seat]?.pieces[each] ?? 0,
          ),
        ),
        row("contracts", labels.taken, contracts),
      ]}
    />
  );
}

/** Contracts and stocks above the map, behind a button. */
export function TablePanel(props: {
  readonly position: At;
  readonly act: (act: Act) => void;
}): VNode {
  const { position, act } = props;
  const labels = strings(position.lang);
  return (
    <OverPanel title={labels.table} close={labels.close} act={act}>
      <Contracts position={position} />
      <Stocks position={position} />
    </OverPanel>
  );
}
