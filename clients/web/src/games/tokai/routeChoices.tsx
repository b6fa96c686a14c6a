// The shortest and the cheapest way to a station, side by side: steps, turns, fare, to whom.

import type { VNode } from "preact";
import type { Answer } from "../../board/contract.ts";
import { SeatMark } from "../../board/index.ts";
import { type At, lineName, pointName, whoIs } from "./selectors.ts";
import { words, yen } from "./strings.ts";

/** A way, as the server's figures of `/route` have it. */
interface Way {
  readonly steps: number;
  readonly turns: number;
  readonly cost: number;
  readonly dues: readonly { readonly payee: number; readonly amount: number }[];
  readonly legs: readonly { readonly line: string; readonly to: string; readonly steps: number }[];
}

/** The ways of an answer to `/route`: one where the shortest is the cheapest, none if none is left. */
export function waysOf(answer: Answer | undefined): readonly (readonly [WayKind, Way])[] {
  const { shortest, cheapest } = (answer?.data ?? {}) as {
    readonly shortest?: Way;
    readonly cheapest?: Way;
  };
  if (shortest === undefined || cheapest === undefined) return [];
  if (JSON.stringify(shortest) === JSON.stringify(cheapest)) return [["wayBest", shortest]];
  return [
    ["wayShortest", shortest],
    ["wayCheapest", cheapest],
  ];
}

type WayKind = "wayBest" | "wayShortest" | "wayCheapest";

function Dues({ position, way }: { readonly position: At; readonly way: Way }): VNode {
  const { lang } = position;
  const said = words(lang);
  return (
    <>
      {way.dues.map(({ payee, amount }) => (
        <span key={payee} class="due">
          {payee === 0 ? (
            said.bank
          ) : (
            <>
              <SeatMark seat={payee} size={16} />
              <span class="vh">{whoIs(position, payee)}</span>
            </>
          )}{" "}
          {yen(amount, lang)}
        </span>
      ))}
    </>
  );
}

export function Ways({ position, answer }: { position: At; answer: Answer }): VNode | null {
  const { lang, fixed } = position;
  const said = words(lang);
  const found = waysOf(answer);
  if (found.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
    <div class="way" role="group" aria-label={said.ways} tabIndex={0}>
      {found.map(([kind, way]) => (
        <section key={kind}>
          <h4>
            {said[kind]} <b>{yen(way.cost, lang)}</b>
          </h4>
          <p>
            {said.stepsTurns(way.steps, way.turns)} <Dues position={position} way={way} />
          </p>
          <ol>
            {way.legs.map((leg) => (
              <li key={`${leg.line} ${leg.to}`}>
                {lineName(fixed, leg.line, lang)} → <b>{pointName(fixed, leg.to, lang)}</b>{" "}
                {leg.steps}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
