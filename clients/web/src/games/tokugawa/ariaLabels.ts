// Labels of towns, banks and pieces for screen readers, one sentence each.

import type { Lang } from "../../board/index.ts";
import { hasLine, joined, playerName } from "../../board/parts.ts";
import {
  type At,
  builtOf,
  mayChoose,
  newsOf,
  provinceName,
  type Stander,
  standerOn,
  strengthOf,
  townName,
  type Works,
  worksOn,
} from "./selectors.ts";
import { buildingName, kindName, strings } from "./strings.ts";

/** How many attacks a capital still withstands, in words. */
export function livesText(piece: Stander, lang: Lang): string {
  const labels = strings(lang);
  return piece.back ? labels.hitOnce : labels.untouched;
}

/** "swordsman, strength 2, weakened". */
export function pieceText(position: At, piece: Stander): string {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const kind = kindName(position, piece.kind);
  if (piece.kind === "capital") return joined(labels.and, kind, livesText(piece, lang));
  const strength = labels.strength(strengthOf(fixed, piece) ?? 0);
  const { back, weak } = piece;
  return joined(labels.and, kind, strength, back && labels.forged, weak && labels.weak);
}

/** "wall, castle (not ready yet), 2 ships". */
export function worksText(position: At, works: Works): string {
  const labels = strings(position.lang);
  const parts = builtOf(works).map(({ building, ready, count }) => {
    if (building === "ship") return labels.ships(count);
    const name = buildingName(position, building);
    return ready ? name : labels.unfinished(name);
  });
  return parts.join(labels.and);
}

/** The pieces and buildings on a town, without its name. */
export function onTown(position: At, town: string): string {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const piece = standerOn(position, town);
  const works = worksOn(position, town);
  const { port, shipyard } = fixed.towns[town] ?? {};
  return joined(
    labels.stop,
    piece === undefined
      ? labels.empty
      : labels.of(playerName(position, piece.owner), pieceText(position, piece)),
    works && labels.worksOf(worksText(position, works), playerName(position, works.owner)),
    shipyard ? labels.yard : port && labels.port,
  );
}

/** Labels many towns at little cost: values common to all are computed once. */
export function townLabels(position: At): (town: string) => string {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const may = mayChoose(position);
  const { towns: fresh } = newsOf(position);
  return (town) => {
    const province = provinceName(position, fixed.towns[town]?.province ?? "");
    return joined(
      labels.stop,
      `${townName(position, town)} (${province}): ${onTown(position, town)}`,
      fresh.has(town) && labels.just,
      may.has(town) && labels.may,
    );
  };
}

export function mayTax({ moves }: At, province: string): boolean {
  return hasLine(moves, { province }, "tax");
}

export function bankLabel(position: At, province: string): string {
  const { lang, view } = position;
  const labels = strings(lang);
  const bankText = labels.bank(provinceName(position, province), view.banks[province] ?? 0);
  return joined(labels.and, bankText, mayTax(position, province) && labels.mayTax);
}
