// Labels of towns, banks and pieces for screen readers, one sentence each.

import { linesWith } from "../../board/index.ts";
import {
  type At,
  livesOf,
  mayChoose,
  newsOf,
  playerName,
  provinceName,
  type Stander,
  standerOn,
  strengthOf,
  townName,
  type Works,
  worksOn,
} from "./selectors.ts";
import { namesIn, strings } from "./strings.ts";

/** "swordsman, strength 2, weakened". */
export function pieceText({ fixed, lang }: At, piece: Stander): string {
  const labels = strings(lang);
  const kind = namesIn(lang).kind[piece.kind];
  if (piece.kind === "capital") return [kind, labels.lives(livesOf(piece))].join(labels.and);
  const parts = [kind, labels.strength(strengthOf(fixed, piece) ?? 0)];
  if (piece.back) parts.push(labels.forged);
  if (piece.weak) parts.push(labels.weak);
  return parts.join(labels.and);
}

/** "wall, castle (not ready yet), 2 ships". */
export function worksText({ lang }: At, works: Works): string {
  const labels = strings(lang);
  const { building } = namesIn(lang);
  const parts: string[] = [];
  if (works.wall) parts.push(building.wall);
  if (works.castle === 2) parts.push(building.castle);
  if (works.castle === 1) parts.push(labels.unfinished(building.castle));
  if (works.shrine === 2) parts.push(building.shrine);
  if (works.shrine === 1) parts.push(labels.unfinished(building.shrine));
  if (works.smithy) parts.push(building.smithy);
  if (works.garden) parts.push(building.garden);
  if (works.ships > 0) parts.push(labels.ships(works.ships));
  return parts.join(labels.and);
}

/** The pieces and buildings on a town, without its name. */
export function onTown(position: At, town: string): string {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const piece = standerOn(position, town);
  const works = worksOn(position, town);
  const parts = [
    piece === undefined
      ? labels.empty
      : labels.of(pieceText(position, piece), playerName(position, piece.owner)),
  ];
  if (works !== undefined) {
    parts.push(labels.worksOf(worksText(position, works), playerName(position, works.owner)));
  }
  const { port, shipyard } = fixed.towns[town] ?? {};
  if (shipyard) parts.push(labels.yard);
  else if (port) parts.push(labels.port);
  return parts.join(labels.stop);
}

/** Labels many towns at little cost: values common to all are computed once. */
export function townLabels(position: At): (town: string) => string {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const may = mayChoose(position);
  const { towns: fresh } = newsOf(position);
  return (town) => {
    const province = provinceName(position, fixed.towns[town]?.province ?? "");
    const parts = [
      `${townName(position, town)} (${province}): ${onTown(position, town)}`,
      ...(fresh.has(town) ? [labels.just] : []),
      ...(may.has(town) ? [labels.may] : []),
    ];
    return parts.join(labels.stop);
  };
}

export function mayTax({ moves }: At, province: string): boolean {
  return linesWith(moves, { province }, "tax").length > 0;
}

export function bankLabel(position: At, province: string): string {
  const { lang, view } = position;
  const labels = strings(lang);
  const bankText = labels.bank(provinceName(position, province), view.banks[province] ?? 0);
  return mayTax(position, province) ? [bankText, labels.mayTax].join(labels.and) : bankText;
}
