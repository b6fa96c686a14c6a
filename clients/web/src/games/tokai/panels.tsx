// Panels above the map: lines and owners, players, and the answers to queries.

import type { ComponentChildren, VNode } from "preact";
import type { Answer } from "../../board/contract.ts";
import { type Act, Icon, PlaceButton } from "../../board/index.ts";
import { OverPanel } from "../../board/overPanel.tsx";
import { FactTable, joined, SeatName, seatsOf } from "../../board/parts.ts";
import { lineLabel } from "./ariaLabels.ts";
import { art } from "./drawings.ts";
import {
  type At,
  atlasOf,
  justSold,
  lineName,
  myRouteQuery,
  owned,
  placeOfPawn,
  pointName,
  type Railway,
  routeOptionsOf,
} from "./selectors.ts";
import { strings, yen } from "./strings.ts";

export function Swatch({ line }: { readonly line: Railway }): VNode {
  return <i class="swatch" style={{ background: line.colour }} />;
}

function LineButton(props: { position: At; line: Railway; just: boolean }): VNode {
  const { position, line, just } = props;
  const { moves } = position;
  const may = moves.some(({ slots }) => slots.item === line.id || slots.line === line.id);
  return (
    <PlaceButton
      id={`line ${line.id}`}
      label={lineLabel(position, line.id, just)}
      may={may}
      just={just}
      class="row"
    >
      <Swatch line={line} />
      <span class="grow">{line[position.lang]}</span>
      <b>{yen(line.price, position.lang)}</b>
    </PlaceButton>
  );
}

/** The owners of all lines. */
export function LineList({ position }: { readonly position: At }): VNode {
  const labels = strings(position.lang);
  const just = justSold(position);
  const rows = (lines: readonly Railway[]): ComponentChildren =>
    lines.length === 0 ? (
      <p class="soft">{labels.none}</p>
    ) : (
      lines.map((line) => (
        <LineButton key={line.id} position={position} line={line} just={just.has(line.id)} />
      ))
    );
  return (
    <>
      <h3>{labels.unownedLines}</h3>
      {rows(owned(position))}
      {seatsOf(position.view).map((seat) => (
        <section key={seat}>
          <h3>
            <SeatName position={position} seat={seat} size={18} />
          </h3>
          {rows(owned(position, seat))}
        </section>
      ))}
    </>
  );
}

function Who({ position, seat }: { position: At; seat: number }): VNode {
  return (
    <span class="who">
      <SeatName position={position} seat={seat} size={20} />
    </span>
  );
}

/** The position and destination of a player, in words. */
function facts(position: At, seat: number) {
  const { view, lang, fixed } = position;
  const labels = strings(lang);
  const seatView = view.seats[seat];
  const at = placeOfPawn(view, seat);
  const to = seatView?.destination;
  const through = seatView?.through.map((each) => lineName(fixed, each, lang)) ?? [];
  return {
    at: at === undefined ? "–" : pointName(fixed, at, lang),
    to: to === undefined ? undefined : pointName(fixed, to, lang),
    payoff: yen(seatView?.payoff ?? 0, lang),
    cash: yen(seatView?.cash ?? 0, lang),
    lines: owned(position, seat).length,
    more: joined(
      labels.and,
      seatView?.express && labels.ticket,
      view.fallen.includes(seat) && labels.out,
      through.length > 0 && labels.through(through.join(labels.and)),
    ),
  };
}

/** The positions and destinations of all players, without room for a table. */
function PlayerList({ position }: { readonly position: At }): VNode {
  const labels = strings(position.lang);
  return (
    <ul class="entries">
      {seatsOf(position.view).map((seat) => {
        const { at, to, payoff, cash, lines, more } = facts(position, seat);
        const text = joined(
          labels.and,
          to === undefined ? at : labels.fromTo(at, to),
          to === undefined ? labels.noGoal : labels.payoff(payoff),
          labels.cash(cash),
          labels.count(lines),
          more,
        );
        return (
          <li key={seat}>
            <Who position={position} seat={seat} /> {text}
          </li>
        );
      })}
    </ul>
  );
}

/** The positions and destinations of all players. */
export function Players({ position }: { readonly position: At }): VNode {
  const { view, lang, area } = position;
  const labels = strings(lang);
  if (area.width < 600) return <PlayerList position={position} />;
  return (
    <FactTable
      heads={[
        labels.player,
        labels.place,
        labels.goalHead,
        labels.payoffHead,
        labels.cashHead,
        labels.linesHead,
      ]}
      rows={seatsOf(view).map((seat) => {
        const { at, to, payoff, cash, lines, more } = facts(position, seat);
        const owned = (
          <>
            {lines} <span class="soft">{more}</span>
          </>
        );
        return {
          key: seat,
          head: <Who position={position} seat={seat} />,
          cells: [at, to ?? "–", to === undefined ? "–" : payoff, cash, owned],
        };
      })}
    />
  );
}

/** The answered queries, newest last. The page itself shows the table as text. */
export function answersTo({ answers }: Pick<At, "answers">): readonly string[] {
  return Object.keys(answers).filter((line) => line !== "/board" && answers[line] !== undefined);
}

/** The query whose answer is shown: the one selected again, else the newest one. */
export function shownAnswer(position: At): string | undefined {
  const { answers, look } = position;
  const queries = answersTo({ answers });
  const last = queries.at(-1);
  const { again } = look;
  if (typeof again === "string" && look.lastThen === last && queries.includes(again)) return again;
  return look.shut === last || last === myRouteQuery(position) ? undefined : last;
}

/** An answer: its routes side by side if it has some, else its text. */
function AnswerText({ position, answer }: { position: At; answer: Answer | undefined }): VNode {
  if (answer !== undefined && routeOptionsOf(answer).length > 0) {
    const { RouteChoices } = art.get();
    return <RouteChoices position={position} answer={answer} />;
  }
  return <p class="told">{answer?.text}</p>;
}

export function Answers({ position }: { readonly position: At }): VNode | null {
  const { lang, fixed, seat, view } = position;
  const labels = strings(lang);
  const line = shownAnswer(position);
  if (line === undefined) return null;
  const [query, to = ""] = line.split(" ");
  const riding = view.phase === "move" && seat === view.active && position.moves.length > 0;
  return (
    <section class="over answer" aria-label={labels.answer}>
      <header>
        <span class="mono">{line}</span>
        <PlaceButton id="shut" label={labels.close}>
          <Icon name="x" size={16} />
        </PlaceButton>
      </header>
      <AnswerText position={position} answer={position.answers[line]} />
      {query === "/route" && riding && (
        <PlaceButton id={`journey ${to}`} label={labels.journey(pointName(fixed, to, lang))} may />
      )}
    </section>
  );
}

/** The open panel above the map. */
export function Panel(props: {
  readonly position: At;
  readonly act: (act: Act) => void;
}): VNode | null {
  const { position, act } = props;
  const labels = strings(position.lang);
  const open = position.look.panel;
  if (open !== "lines" && open !== "players") return <Answers position={position} />;
  const title = open === "lines" ? labels.linesOf : labels.players;
  return (
    <OverPanel title={title} close={labels.close} class={open} act={act}>
      {open === "lines" ? <LineList position={position} /> : <Players position={position} />}
    </OverPanel>
  );
}

/** A line by its id, for a button. */
export function LineName({ position, id }: { readonly position: At; readonly id: string }): VNode {
  const line = atlasOf(position.fixed).line.get(id);
  if (line === undefined) return <>{id}</>;
  return (
    <>
      <Swatch line={line} /> <span>{line[position.lang]}</span>
    </>
  );
}
