// Over the map: lines and owners, players, and the answers to what was asked.

import type { ComponentChildren, VNode } from "preact";
import { type Act, Icon, PlaceButton, SeatMark } from "../kit/index.ts";
import {
  type At,
  atlasOf,
  justSold,
  lineName,
  owned,
  placeOfPawn,
  pointName,
  type Railway,
  seatsOf,
  unowned,
  whoIs,
} from "./facts.ts";
import { lineLabel } from "./labels.ts";
import { words, yen } from "./words.ts";

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

/** Whose lines are whose. */
export function LineList({ position }: { readonly position: At }): VNode {
  const said = words(position.lang);
  const just = justSold(position);
  const rows = (lines: readonly Railway[]): ComponentChildren =>
    lines.length === 0 ? (
      <p class="soft">{said.nobody}</p>
    ) : (
      lines.map((line) => (
        <LineButton key={line.id} position={position} line={line} just={just.has(line.id)} />
      ))
    );
  return (
    <>
      <h3>{said.unownedLines}</h3>
      {rows(unowned(position))}
      {seatsOf(position.view).map((seat) => (
        <section key={seat}>
          <h3>
            <SeatMark seat={seat} size={18} /> <bdi>{whoIs(position, seat)}</bdi>
          </h3>
          {rows(owned(position, seat))}
        </section>
      ))}
    </>
  );
}

/** Where everybody is and goes. */
export function PlayerTable({ position }: { readonly position: At }): VNode {
  const { view, lang, fixed } = position;
  const said = words(lang);
  return (
    <table class="facts">
      <thead>
        <tr>
          <th scope="col">{said.player}</th>
          <th scope="col">{said.place}</th>
          <th scope="col">{said.goalHead}</th>
          <th scope="col">{said.payoffHead}</th>
          <th scope="col">{said.cashHead}</th>
          <th scope="col">{said.linesHead}</th>
        </tr>
      </thead>
      <tbody>
        {seatsOf(view).map((seat) => {
          const own = view.seats[seat];
          const at = placeOfPawn(view, seat);
          const to = own?.destination;
          const more = [
            ...(own?.express === true ? [said.ticket] : []),
            ...(view.fallen.includes(seat) ? [said.out] : []),
            ...(own === undefined || own.through.length === 0
              ? []
              : [
                  said.through(
                    own.through.map((each) => lineName(fixed, each, lang)).join(said.and),
                  ),
                ]),
          ];
          return (
            <tr key={seat}>
              <th scope="row">
                <SeatMark seat={seat} size={20} /> <bdi>{whoIs(position, seat)}</bdi>
              </th>
              <td>{at === undefined ? "–" : pointName(fixed, at, lang)}</td>
              <td>{to === undefined ? "–" : pointName(fixed, to, lang)}</td>
              <td>{to === undefined ? "–" : yen(own?.payoff ?? 0, lang)}</td>
              <td>{yen(own?.cash ?? 0, lang)}</td>
              <td>
                {owned(position, seat).length}
                {more.length > 0 && <span class="soft"> {more.join(said.and)}</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The question whose answer is shown: the one looked at again, else the last one asked. */
export function shownAnswer({ answers, look }: At): string | undefined {
  const asked = Object.keys(answers).filter((line) => line !== "/board" && answers[line]);
  const last = asked.at(-1);
  if (last === undefined) return undefined;
  const again = look.again;
  if (typeof again === "string" && look.lastThen === last && asked.includes(again)) return again;
  return look.shut === last ? undefined : last;
}

/** The station that an answer tells the way to. */
export function routeTo(line: string): string | undefined {
  return line.startsWith("/route ") ? line.slice(7) : undefined;
}

export function Answers({ position }: { readonly position: At }): VNode | null {
  const { lang, fixed, seat, view } = position;
  const said = words(lang);
  const line = shownAnswer(position);
  if (line === undefined) return null;
  const to = routeTo(line);
  const riding = view.phase === "move" && seat === view.active && position.moves.length > 0;
  return (
    <section class="over answer" aria-label={said.answer}>
      <header>
        <span class="mono">{line}</span>
        <PlaceButton id="shut" label={said.close}>
          <Icon name="x" size={16} />
        </PlaceButton>
      </header>
      <p class="told">{position.answers[line]?.text}</p>
      {to !== undefined && riding && (
        <PlaceButton id={`journey ${to}`} label={said.journey(pointName(fixed, to, lang))} may>
          {said.journey(pointName(fixed, to, lang))}
        </PlaceButton>
      )}
    </section>
  );
}

/** What is open over the map. */
export function Panel(props: {
  readonly position: At;
  readonly act: (act: Act) => void;
}): VNode | null {
  const { position, act } = props;
  const said = words(position.lang);
  const open = position.look.panel;
  if (open !== "lines" && open !== "players") return <Answers position={position} />;
  return (
    <section class={`over ${open}`} aria-label={open === "lines" ? said.linesOf : said.players}>
      <header>
        <b>{open === "lines" ? said.linesOf : said.players}</b>
        <button
          type="button"
          class="btn"
          aria-label={said.close}
          onClick={() => act({ act: "look", look: { panel: undefined } })}
        >
          <Icon name="x" size={16} />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard */}
      <div class="scroll" tabIndex={0} role="group" aria-label={said.table}>
        {open === "lines" ? <LineList position={position} /> : <PlayerTable position={position} />}
      </div>
    </section>
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
