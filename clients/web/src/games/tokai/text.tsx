// The table as text: positions, legal actions, owners of lines.

import type { VNode } from "preact";
import { PlaceList, playerName } from "../../board/parts.ts";
import { pointLabels } from "./ariaLabels.ts";
import { auctionText } from "./auction.tsx";
import { Answers, LineList, Players } from "./panels.tsx";
import { type At, chosenPoint, lineName, mayChoose, pointName } from "./selectors.ts";
import { strings, turnText } from "./strings.ts";
import { TurnTray } from "./tray.tsx";

/** The stations of a trip that may not be visited again. */
function Visited({ position }: { position: At }): VNode | null {
  const { view, seat, fixed, lang } = position;
  const labels = strings(lang);
  const trail = view.seats[seat ?? view.active]?.trail ?? [];
  if (trail.length < 2) return null;
  return (
    <p>{labels.visited(trail.map((point) => pointName(fixed, point, lang)).join(labels.and))}</p>
  );
}

function Stations({ position }: { position: At }): VNode | null {
  const labels = strings(position.lang);
  const points = [...mayChoose(position)];
  if (points.length === 0) return null;
  const label = pointLabels(position);
  return (
    <>
      <h2>{labels.stations}</h2>
      <PlaceList
        places={points.map((point) => ({
          id: `station ${point}`,
          label: label(point),
          may: true,
          chosen: point === chosenPoint(position),
        }))}
      />
    </>
  );
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { lang, view, fixed } = position;
  const labels = strings(lang);
  return (
    <div class="board-text fit">
      <p>
        {turnText(view, lang)}
        {labels.stop}
        {playerName(position, view.active)}
      </p>
      {view.auction !== undefined && (
        <p>
          {labels.auctionOf(lineName(fixed, view.auction.line, lang))}
          {labels.stop}
          {auctionText(position)}
        </p>
      )}
      <TurnTray position={position} />
      <Visited position={position} />
      <Answers position={position} />
      <Stations position={position} />
      <h2>{labels.players}</h2>
      <Players position={position} />
      <h2>{labels.linesOf}</h2>
      <LineList position={position} />
    </div>
  );
}
