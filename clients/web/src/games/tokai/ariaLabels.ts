// Labels of stations and lines for screen readers, one sentence each.

import { joined, playerName, seatsOf } from "../../board/parts.ts";
import {
  type At,
  atlasOf,
  flags,
  lineName,
  mayChoose,
  myStop,
  pawns,
  payoffOf,
  pointName,
  priceOf,
  regionName,
} from "./selectors.ts";
import { strings, yen } from "./strings.ts";

function names(position: At, seats: readonly number[] = []): string {
  return seats.map((seat) => playerName(position, seat)).join(strings(position.lang).and);
}

/** The seats with a through ticket for a line. */
function throughOf(position: At, line: string): readonly number[] {
  const { seats } = position.view;
  return seatsOf(position.view).filter((seat) => seats[seat]?.through.includes(line));
}

/** Labels many stations at little cost: values common to all are computed once. */
export function pointLabels(position: At): (point: string) => string {
  const { lang, fixed, view, moves } = position;
  const labels = strings(lang);
  const atlas = atlasOf(fixed);
  const may = mayChoose(position);
  const here = pawns(view);
  const going = flags(view);
  const verb = moves[0]?.verb;
  const from = myStop(position);
  const choosing = (point: string): readonly string[] => {
    if (verb !== "dest") return [labels.mayRide];
    const pays = from === undefined ? undefined : payoffOf(fixed, from, point);
    return pays === undefined ? [labels.mayName] : [labels.mayName, labels.pays(yen(pays, lang))];
  };
  return (point) => {
    const region = fixed.points[point]?.region;
    const inRegion = region !== undefined && regionName(fixed, region, lang);
    const lines = (atlas.at.get(point) ?? []).map((line) => lineName(fixed, line, lang));
    return joined(
      labels.stop,
      pointName(fixed, point, lang),
      inRegion && labels.region(inRegion),
      labels.onLines(lines.join(labels.and)),
      here.has(point) && labels.here(names(position, here.get(point))),
      going.has(point) && labels.goal(names(position, going.get(point))),
      ...(may.has(point) ? choosing(point) : []),
      verb === "region" && inRegion && labels.mayRegion(inRegion),
    );
  };
}

export function ownerLabel(position: At, line: string): string {
  const owner = position.view.owners[line];
  const labels = strings(position.lang);
  return owner === undefined ? labels.free : labels.ownedBy(playerName(position, owner));
}

export function lineLabel(position: At, line: string, just: boolean): string {
  const { lang, fixed } = position;
  const labels = strings(lang);
  const through = throughOf(position, line);
  return joined(
    labels.and,
    lineName(fixed, line, lang),
    labels.price(yen(priceOf(fixed, line), lang)),
    ownerLabel(position, line),
    through.length > 0 && labels.through(names(position, through)),
    just && labels.justSold,
  );
}
