// Below the cities: my cards, my blocks or the stock that I take from, and all players' blocks.

import type { VNode } from "preact";
import { Group, PlaceButton, Tray } from "../../board/index.ts";
import { FactTable, hasLine, SeatName } from "../../board/parts.ts";
import { countOf, listIn } from "../../board/picks.ts";
import { towers } from "./drawings.ts";
import {
  type At,
  byCount,
  isTableOpen,
  SITES,
  siteOfCard,
  siteSentence,
  sizesText,
  takeCount,
  takeText,
} from "./selectors.ts";
import { siteName, strings } from "./strings.ts";
import type { Shape } from "./tower.tsx";

/** A card's picture: nine squares, the site filled. */
export function CardSquares({ site }: { readonly site: number }): VNode {
  return (
    <g class="card-squares">
      {SITES.map((each) => (
        <rect
          key={each}
          class={each === site ? "filled" : ""}
          x={((each - 1) % 3) * 10 + 0.8}
          y={Math.floor((each - 1) / 3) * 10 + 0.8}
          width="8.4"
          height="8.4"
          rx="1.5"
        />
      ))}
    </g>
  );
}

const BLOCK: Shape = { left: 2, width: 24, depth: 7, rise: 5, floor: 8, ground: 40 };

/** A block, drawn as a tower of its floors. */
export function BlockPicture({ floors, seat }: { floors: number; seat: number }): VNode {
  const { Tower } = towers.get();
  return (
    <svg class="block-picture" viewBox="0 0 36 42" aria-hidden="true">
      <Tower building={{ owner: seat, height: floors, shares: [{ seat, floors }] }} shape={BLOCK} />
    </svg>
  );
}

/** A block with its size, and how many there are. */
function BlockFace(props: { floors: number; seat: number; count: number | false }): VNode {
  return (
    <>
      <BlockPicture {...props} />
      <b>
        {props.floors}
        {props.count !== false && <span class="soft"> ×{props.count}</span>}
      </b>
    </>
  );
}

function Cards({ position }: { readonly position: At }): VNode | null {
  const { view, seat, draft, moves, lang } = position;
  const hand = seat === undefined ? undefined : view.seats[seat]?.hand;
  if (hand === undefined) return null;
  const labels = strings(lang);
  const sites = hand.map((card) => siteOfCard(card, position));
  const { block } = draft.slots;
  const chosenAt = sites.findIndex((site) => draft.slots.site === String(site));
  return (
    <Group title={labels.cards} class="cards">
      {sites.map((site, at) => {
        const may = hasLine(
          moves,
          { site: String(site), ...(block === undefined ? {} : { block }) },
          "build",
        );
        return (
          <PlaceButton
            key={`${at} ${site}`}
            id={`card ${at + 1} ${site}`}
            label={labels.card(site, siteName(site, lang))}
            may={may}
            chosen={at === chosenAt}
            idle={!may}
            class="site-card"
            card={String(site)}
          >
            <svg class="card-picture" viewBox="0 0 30 30" aria-hidden="true">
              <CardSquares site={site} />
            </svg>
            <b>{site}</b>
          </PlaceButton>
        );
      })}
    </Group>
  );
}

function Blocks({ position, seat }: { position: At; seat: number }): VNode {
  const { view, draft, moves, lang } = position;
  const labels = strings(lang);
  const { city, site, block } = draft.slots;
  const spot = city === undefined || site === undefined ? {} : { city, site };
  const counts = byCount(view.seats[seat]?.chosen ?? []);
  return (
    <Group title={labels.blocks} class="blocks">
      {counts.length === 0 && <span class="soft">{labels.noBlocks}</span>}
      {counts.map(([floors, count]) => {
        const may = hasLine(moves, { ...spot, block: String(floors) }, "build");
        return (
          <PlaceButton
            key={floors}
            id={`block ${floors}`}
            label={labels.block(count > 1 ? `${floors} ×${count}` : floors, floors)}
            may={may}
            chosen={block === String(floors)}
            idle={!hasLine(moves, { block: String(floors) }, "build")}
            class="block"
          >
            <BlockFace floors={floors} seat={seat} count={count > 1 && count} />
          </PlaceButton>
        );
      })}
    </Group>
  );
}

/** The blocks that are left for later rounds. */
function Stock({ position, seat }: { position: At; seat: number }): VNode {
  const labels = strings(position.lang);
  const stock = position.view.seats[seat]?.stock ?? [];
  return (
    <Group title={labels.stock} class="blocks">
      {stock.map((count, at) => (
        <span key={at} class="block rest">
          <BlockFace floors={at + 1} seat={seat} count={count} />
        </span>
      ))}
    </Group>
  );
}

/** The stock to take from, and the blocks taken so far. */
function Taking({ position, seat }: { position: At; seat: number }): VNode {
  const { view, lang, draft } = position;
  const labels = strings(lang);
  const { picks, may: mayTake } = listIn(position, "take");
  const most = takeCount(position);
  const full = picks.length >= most;
  const stock = view.seats[seat]?.stock ?? [];
  return (
    <>
      <Group title={labels.stock} class="blocks">
        {stock.map((count, at) => {
          const floors = at + 1;
          // A typed line may name more than there are.
          const left = Math.max(0, count - countOf(picks, String(floors)));
          const may = !full && mayTake([...picks, String(floors)]);
          return (
            <PlaceButton
              key={floors}
              id={`take ${floors}`}
              label={labels.stockOf(floors, left)}
              may={may}
              idle={!may}
              class="block"
            >
              <BlockFace floors={floors} seat={seat} count={left} />
            </PlaceButton>
          );
        })}
      </Group>
      <Group title={labels.taken(picks.length, most)} class="blocks picks">
        {Array.from({ length: most }, (_, at) => {
          const floors = picks[at];
          if (floors === undefined) {
            return <span key={`free ${at}`} class="slot" aria-hidden="true" />;
          }
          return (
            <PlaceButton
              key={`pick ${at}`}
              id={`put ${at} ${floors}`}
              label={labels.putBack(Number(floors))}
              chosen
              class="block"
            >
              <BlockPicture floors={Number(floors)} seat={seat} />
            </PlaceButton>
          );
        })}
        {picks.length > 0 && (
          <PlaceButton
            id="done"
            label={labels.takeThese(takeText(picks).slice(6))}
            may={full && draft.complete !== undefined}
            idle={!full}
            class="done main"
          >
            {labels.take}
          </PlaceButton>
        )}
      </Group>
    </>
  );
}

/** All players: blocks of this round, stock, points by kind; in the end only points are left. */
export function AllPlayers({ position }: { readonly position: At }): VNode {
  const { view, lang } = position;
  const labels = strings(lang);
  const points = (
    <span key="points" title={labels.pointsOf}>
      {labels.points}
    </span>
  );
  const isOver = view.phase === "over";
  return (
    <FactTable
      heads={[labels.seat, ...(isOver ? [] : [labels.toBuild, labels.stock]), points]}
      rows={Object.entries(view.seats).map(([seat, { chosen, lost, stock, score, points }]) => {
        const blocks = [
          <>
            {sizesText(chosen) || "–"}
            {lost > 0 && <span class="soft"> {labels.lost(lost)}</span>}
          </>,
          stock.map((count, at) => (
            <span key={at} class="count">
              {at + 1}
              <span class="soft">×</span>
              {count}{" "}
            </span>
          )),
        ];
        const total = (
          <>
            <b>{score}</b> <span class="soft">{points.join("+")}</span>
          </>
        );
        return {
          key: seat,
          head: (
            <>
              <SeatName position={position} seat={Number(seat)} size={26} />
              {view.start === Number(seat) && !isOver && (
                <span class="soft start"> {labels.start}</span>
              )}
            </>
          ),
          cells: [...(isOver ? [] : blocks), total],
        };
      })}
    />
  );
}

/** How often each card has been played since the deck was shuffled. */
export function Played({ position }: { readonly position: At }): VNode {
  const labels = strings(position.lang);
  return (
    <svg class="played" viewBox="0 0 66 66" role="img" aria-label={labels.played}>
      {SITES.map((site) => {
        const count = position.view.used[String(site)] ?? 0;
        const x = ((site - 1) % 3) * 22;
        const y = Math.floor((site - 1) / 3) * 22;
        return (
          <g key={site} transform={`translate(${x} ${y})`}>
            <rect x="1" y="1" width="20" height="20" rx="3" />
            <text
              class={count === 0 ? "soft middle" : "strong middle"}
              x="11"
              y="15.5"
              font-size="12"
            >
              {count}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The floors of the selected site. */
function detailOf(position: At): string {
  const { draft, look, lang, area } = position;
  const { city, site } = draft.slots;
  const [town = city, spot = site] =
    city !== undefined && site !== undefined
      ? []
      : String(look.site ?? "")
          .split(" ")
          .filter(Boolean);
  if (town !== undefined && spot !== undefined) return siteSentence(position, town, Number(spot));
  return area.width < 600 ? strings(lang).tapHint : "";
}

/** The sentence about the site, and the button that opens the table. */
function Detail({ position, brief }: { position: At; brief: boolean }): VNode {
  const labels = strings(position.lang);
  const open = isTableOpen(position);
  return (
    <div class={brief ? "" : "detail"}>
      {!brief && <span class="said">{detailOf(position)}</span>}
      <PlaceButton
        id="table"
        label={open ? labels.cityView : labels.table}
        class="toggle"
        chosen={open}
      />
    </div>
  );
}

export function Below({ position, wide }: { position: At; wide: boolean }): VNode | null {
  const { seat, lang, view } = position;
  const labels = strings(lang);
  const taking = position.moves.some((line) => line.verb === "take");
  const plays = seat !== undefined && view.seats[seat] !== undefined && view.phase !== "over";
  if (wide && !plays) return null;
  return (
    <Tray label={plays ? labels.hand : labels.allPlayers}>
      {plays && <Cards position={position} />}
      {plays &&
        (taking ? (
          <Taking position={position} seat={seat} />
        ) : (
          <Blocks position={position} seat={seat} />
        ))}
      {wide ? (
        plays &&
        !taking && (
          <>
            <Stock position={position} seat={seat} />
            <Group title={labels.played}>
              <Played position={position} />
            </Group>
          </>
        )
      ) : (
        <Detail position={position} brief={plays && taking} />
      )}
    </Tray>
  );
}
