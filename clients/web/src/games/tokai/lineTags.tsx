// The names and prices of lines on the map.

import type { VNode } from "preact";
import { Place } from "../../board/index.ts";
import { moveTo } from "../../board/mapLayout.ts";
import { lineLabel } from "./ariaLabels.ts";
import type { Layout, Track } from "./layout.ts";
import { type At, chosenLines, justSold, onOffer, priceOf } from "./selectors.ts";

/** A line's name or price on it. */
function Pill(props: {
  readonly position: At;
  readonly track: Track;
  readonly offered: boolean;
  readonly picked: boolean;
  readonly just: boolean;
}): VNode {
  const { position, track, offered, picked, just } = props;
  const { id, colour, pill, tag } = track;
  const price = `${priceOf(position.fixed, id)}`;
  const named = offered ? `${pill?.text} ${price}` : (pill?.text ?? price);
  const text = pill === undefined ? price : named;
  const width = pill === undefined ? 30 : pill.width + (offered ? 20 : 0);
  return (
    <Place
      id={`pill ${id}`}
      label={lineLabel(position, id, just)}
      may={offered}
      {...(picked ? { chosen: true } : {})}
      just={just}
      class="pill"
      transform={moveTo(tag)}
    >
      <rect
        class="ground"
        x={-width / 2}
        y={-8.5}
        width={width}
        height={17}
        rx={8.5}
        style={{ fill: colour }}
      />
      <text class={isPale(colour) ? "strong middle pale" : "strong middle"} y={4}>
        {text}
      </text>
      <rect class="mark" x={-width / 2 - 3} y={-11.5} width={width + 6} height={23} rx={11.5} />
    </Place>
  );
}

/** Names of lines on them, and prices while lines are chosen. */
export function Pills({ position, layout }: { position: At; layout: Layout }): VNode {
  const offer = onOffer(position);
  const chosen = chosenLines(position);
  const just = justSold(position);
  const shown = layout.tracks.filter(
    ({ id, pill }) => pill !== undefined || (!layout.tiny && offer.has(id)),
  );
  return (
    <>
      {shown.map((track) => (
        <Pill
          key={track.id}
          position={position}
          track={track}
          offered={offer.has(track.id)}
          picked={chosen.includes(track.id)}
          just={just.has(track.id)}
        />
      ))}
    </>
  );
}

/** Whether black is easier to read on a colour than white. */
function isPale(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return red * 0.2126 + green * 0.7152 + blue * 0.0722 > 0.18;
}
