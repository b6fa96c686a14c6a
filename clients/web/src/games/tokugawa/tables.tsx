// Beside the map: contracts with the pieces on their towns, and the stocks of both sides.

import type { VNode } from "preact";
import { type Act, OverPanel, SeatMark } from "../../board/index.ts";
import { art } from "./drawings.ts";
import { WeaponMark } from "./icons.tsx";
import {
  type At,
  BUILDINGS,
  type Contract,
  letterOfSeat,
  livesOf,
  playerName,
  SIDES,
  seatsOf,
  standerOn,
  townName,
  WEAPONS,
} from "./selectors.ts";
import { namesIn, strings } from "./strings.ts";

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
  const { side: sides } = namesIn(lang);
  return (
    <ul class="contracts">
      {SIDES.map((side) => {
        const open = view.open[side];
        const contract = open === undefined ? undefined : fixed.contracts[open];
        const left = view.stacks[side]?.length ?? 0;
        return (
          <li key={side}>
            <b>{contract?.[lang] ?? sides[side]}</b>{" "}
            <span class={brief ? "worth" : "soft"}>
              {contract === undefined ? labels.none : labels.points(contract.points)}
              {!brief && [labels.and, sides[side], labels.and, labels.left(left)].join("")}
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
  const { building, kind } = namesIn(lang);
  const { BuildingMark } = art.get();
  const seats = seatsOf(view);
  const row = (title: VNode | string, cell: (seat: number) => string | number, key: string) => (
    <tr key={key}>
      <th scope="row">{title}</th>
      {seats.map((seat) => (
        <td key={seat}>{cell(seat)}</td>
      ))}
    </tr>
  );
  const owned = BUILDINGS.filter((each) =>
    seats.some((seat) => each in (view.seats[seat]?.pieces ?? {})),
  );
  return (
    <table class="facts stocks">
      <thead>
        <tr>
          <th scope="col">{labels.stock}</th>
          {seats.map((seat) => (
            <th key={seat} scope="col">
              <SeatMark seat={seat} size={18} text={letterOfSeat(position, seat)} />{" "}
              <bdi>{playerName(position, seat)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row(labels.koku, (seat) => view.seats[seat]?.koku ?? 0, "koku")}
        {row(
          kind.capital,
          (seat) => {
            const piece = standerOn(position, view.seats[seat]?.capital ?? "");
            return piece?.kind === "capital" && piece.owner === seat
              ? labels.lives(livesOf(piece))
              : labels.none;
          },
          "capital",
        )}
        {WEAPONS.map((weapon) =>
          row(
            <>
              <WeaponMark kind={weapon} size={15} /> {kind[weapon]}
            </>,
            (seat) => view.seats[seat]?.samurai[weapon] ?? 0,
            weapon,
          ),
        )}
        {owned.map((each) =>
          row(
            <>
              <BuildingMark building={each} /> {building[each]}
            </>,
            (seat) => view.seats[seat]?.pieces[each] ?? 0,
            each,
          ),
        )}
        {row(
          labels.taken,
          (seat) =>
            view.seats[seat]?.contracts
              .map((each) => fixed.contracts[each]?.[lang] ?? each)
              .join(labels.and) || labels.none,
          "contracts",
        )}
      </tbody>
    </table>
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
