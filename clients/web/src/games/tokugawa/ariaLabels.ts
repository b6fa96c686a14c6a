// What is said about a town, a bank or a piece, in one sentence, to whoever cannot see it.

import { linesWith } from "../../board/index.ts";
import {
  type At,
  livesOf,
  mayChoose,
  newsOf,
  provinceName,
  type Stander,
  standerOn,
  strengthOf,
  townName,
  type Works,
  whoIs,
  worksOn,
} from "./selectors.ts";
import { namesIn, words } from "./strings.ts";

/** "swordsman, strength 2, weakened". */
export function pieceSaid({ fixed, lang }: At, piece: Stander): string {
  const said = words(lang);
  const kind = namesIn(lang).kind[piece.kind];
  if (piece.kind === "capital") return [kind, said.lives(livesOf(piece))].join(said.and);
  const parts = [kind, said.strength(strengthOf(fixed, piece) ?? 0)];
  if (piece.back) parts.push(said.forged);
  if (piece.weak) parts.push(said.weak);
  return parts.join(said.and);
}

/** "wall, castle (not ready yet), 2 ships". */
export function worksSaid({ lang }: At, works: Works): string {
  const said = words(lang);
  const { building } = namesIn(lang);
  const parts: string[] = [];
  if (works.wall) parts.push(building.wall);
  if (works.castle === 2) parts.push(building.castle);
  if (works.castle === 1) parts.push(said.unfinished(building.castle));
  if (works.shrine === 2) parts.push(building.shrine);
  if (works.shrine === 1) parts.push(said.unfinished(building.shrine));
  if (works.smithy) parts.push(building.smithy);
  if (works.garden) parts.push(building.garden);
  if (works.ships > 0) parts.push(said.ships(works.ships));
  return parts.join(said.and);
}

/** Who and what is on a town, without its name. */
export function onTown(position: At, town: string): string {
  const { fixed, lang } = position;
  const said = words(lang);
  const piece = standerOn(position, town);
  const works = worksOn(position, town);
  const parts = [
    piece === undefined
      ? said.empty
      : said.of(pieceSaid(position, piece), whoIs(position, piece.owner)),
  ];
  if (works !== undefined) {
    parts.push(said.worksOf(worksSaid(position, works), whoIs(position, works.owner)));
  }
  const { port, shipyard } = fixed.towns[town] ?? {};
  if (shipyard) parts.push(said.yard);
  else if (port) parts.push(said.port);
  return parts.join(said.stop);
}

/** Says many towns at little cost: what is the same for all is worked out once. */
export function townLabels(position: At): (town: string) => string {
  const { fixed, lang } = position;
  const said = words(lang);
  const may = mayChoose(position);
  const { towns: fresh } = newsOf(position);
  return (town) => {
    const province = provinceName(position, fixed.towns[town]?.province ?? "");
    const parts = [
      `${townName(position, town)} (${province}): ${onTown(position, town)}`,
      ...(fresh.has(town) ? [said.just] : []),
      ...(may.has(town) ? [said.may] : []),
    ];
    return parts.join(said.stop);
  };
}

export function mayTax({ moves }: At, province: string): boolean {
  return linesWith(moves, { province }, "tax").length > 0;
}

export function bankLabel(position: At, province: string): string {
  const { lang, view } = position;
  const said = words(lang);
  const told = said.bank(provinceName(position, province), view.banks[province] ?? 0);
  return mayTax(position, province) ? [told, said.mayTax].join(said.and) : told;
}
