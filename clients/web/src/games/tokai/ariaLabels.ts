// What is said about a station or a line, in one sentence, to whoever cannot see it.

import {
  type At,
  atlasOf,
  flags,
  lineName,
  mayChoose,
  pawns,
  payoffOf,
  placeOfPawn,
  pointName,
  regionName,
  seatsOf,
  whoIs,
} from "./selectors.ts";
import { words, yen } from "./strings.ts";

function names(position: At, seats: readonly number[] = []): string {
  return seats.map((seat) => whoIs(position, seat)).join(words(position.lang).and);
}

/** Who has a through ticket for a line. */
function throughOf(position: At, line: string): readonly number[] {
  const { seats } = position.view;
  return seatsOf(position.view).filter((seat) => seats[seat]?.through.includes(line));
}

/** Says many stations at little cost: what is the same for all is worked out once. */
export function pointLabels(position: At): (point: string) => string {
  const { lang, fixed, view, moves, seat } = position;
  const said = words(lang);
  const atlas = atlasOf(fixed);
  const may = mayChoose(position);
  const here = pawns(view);
  const going = flags(view);
  const verb = moves[0]?.verb;
  const own = seat === undefined ? undefined : placeOfPawn(view, seat);
  const choosing = (point: string): readonly string[] => {
    if (verb !== "dest") return [said.mayRide];
    const pays = own === undefined ? undefined : payoffOf(fixed, own, point);
    return pays === undefined ? [said.mayName] : [said.mayName, said.pays(yen(pays, lang))];
  };
  return (point) => {
    const parts = [pointName(fixed, point, lang)];
    const region = fixed.points[point]?.region;
    if (region !== undefined) parts.push(said.region(regionName(fixed, region, lang)));
    const lines = (atlas.at.get(point) ?? []).map((line) => lineName(fixed, line, lang));
    parts.push(said.onLines(lines.join(said.and)));
    if (here.has(point)) parts.push(said.here(names(position, here.get(point))));
    if (going.has(point)) parts.push(said.goal(names(position, going.get(point))));
    if (may.has(point)) parts.push(...choosing(point));
    if (verb === "region" && region !== undefined) {
      parts.push(said.mayRegion(regionName(fixed, region, lang)));
    }
    return parts.join(said.stop);
  };
}

export function ownerWord(position: At, line: string): string {
  const owner = position.view.owners[line];
  const said = words(position.lang);
  return owner === undefined ? said.free : said.ownedBy(whoIs(position, owner));
}

export function lineLabel(position: At, line: string, just: boolean): string {
  const { lang, fixed } = position;
  const said = words(lang);
  const price = atlasOf(fixed).line.get(line)?.price ?? 0;
  const parts = [lineName(fixed, line, lang), said.price(yen(price, lang))];
  parts.push(ownerWord(position, line));
  const through = throughOf(position, line);
  if (through.length > 0) parts.push(said.through(names(position, through)));
  if (just) parts.push(said.justSold);
  return parts.join(said.and);
}
