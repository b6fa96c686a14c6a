// The shortest and the cheapest route to a station, side by side: steps, turns, fare and its
// receivers.

import type { VNode } from "preact";
import type { Answer } from "../../board/contract.ts";
import { SeatMark } from "../../board/index.ts";
import { type At, lineName, playerName, pointName } from "./selectors.ts";
import { strings, yen } from "./strings.ts";

/** A route, as in the data of `/route`. */
interface RouteOption {
  readonly steps: number;
  readonly turns: number;
  readonly cost: number;
  readonly dues: readonly { readonly payee: number; readonly amount: number }[];
  readonly legs: readonly { readonly line: string; readonly to: string; readonly steps: number }[];
}

/**
 * The routes of an answer to `/route`: one if the shortest is the cheapest, none if none is left.
 */
export function routeOptionsOf(
  answer: Answer | undefined,
): readonly (readonly [RouteKind, RouteOption])[] {
  const { shortest, cheapest } = (answer?.data ?? {}) as {
    readonly shortest?: RouteOption;
    readonly cheapest?: RouteOption;
  };
  if (shortest === undefined || cheapest === undefined) return [];
  if (JSON.stringify(shortest) === JSON.stringify(cheapest)) return [["routeBest", shortest]];
  return [
    ["routeShortest", shortest],
    ["routeCheapest", cheapest],
  ];
}

type RouteKind = "routeBest" | "routeShortest" | "routeCheapest";

function Dues({ position, route }: { readonly position: At; readonly route: RouteOption }): VNode {
  const { lang } = position;
  const labels = strings(lang);
  return (
    <>
      {route.dues.map(({ payee, amount }) => (
        <span key={payee} class="due">
          {payee === 0 ? (
            labels.bank
          ) : (
            <>
              <SeatMark seat={payee} size={16} />
              <span class="vh">{playerName(position, payee)}</span>
            </>
          )}{" "}
          {yen(amount, lang)}
        </span>
      ))}
    </>
  );
}

export function RouteChoices({ position, answer }: { position: At; answer: Answer }): VNode | null {
  const { lang, fixed } = position;
  const labels = strings(lang);
  const options = routeOptionsOf(answer);
  if (options.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
    <div class="way" role="group" aria-label={labels.routes} tabIndex={0}>
      {options.map(([kind, route]) => (
        <section key={kind}>
          <h4>
            {labels[kind]} <b>{yen(route.cost, lang)}</b>
          </h4>
          <p>
            {labels.stepsTurns(route.steps, route.turns)} <Dues position={position} route={route} />
          </p>
          <ol>
            {route.legs.map((leg) => (
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
