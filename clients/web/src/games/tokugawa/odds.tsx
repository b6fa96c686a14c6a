// The chances of a fight: a bar in the colours of both seats, and tables by weather and supporters.

import type { VNode } from "preact";
import type { Seat } from "../../board/index.ts";
import { FactTable, playerName } from "../../board/parts.ts";
import { type At, attackTyped, questionOf, standerOn } from "./selectors.ts";
import { strings, weatherName } from "./strings.ts";
import type { AttackOdds, BattleOdds } from "./view.gen.ts";

function percent(permille: number): string {
  return `${Math.round(permille / 10)} %`;
}

/** Both sides of the typed attack, or of the battle. */
function sidesOf(position: At): readonly [Seat, Seat] | undefined {
  const fight = position.view.battle ?? attackTyped(position);
  const attacker = fight && standerOn(position, fight.origin);
  const defender = fight && standerOn(position, fight.town);
  return attacker && defender && [attacker.owner, defender.owner];
}

function Bar({ position, permille }: { position: At; permille: number }): VNode | null {
  const labels = strings(position.lang);
  const sides = sidesOf(position);
  if (sides === undefined) return null;
  const [attacker, defender] = sides;
  const isMySeat = (seat: Seat): boolean => seat === position.seat;
  const wins = isMySeat(attacker) ? labels.youWin : labels.wins(playerName(position, attacker));
  const holds = isMySeat(defender) ? labels.youHold : labels.holds(playerName(position, defender));
  return (
    <div class="odds-bar" role="img" aria-label={`${wins} ${percent(permille)}`}>
      <div class="both" aria-hidden="true">
        <span class={`seat-${attacker}`} style={`width:${permille / 10}%`}>
          {permille >= 140 && percent(permille)}
        </span>
        <span class={`seat-${defender}`}>{permille <= 860 && percent(1000 - permille)}</span>
      </div>
      <p class="soft" aria-hidden="true">
        <bdi>{wins}</bdi> <bdi>{holds}</bdi>
      </p>
    </div>
  );
}

function Weathers({ position, cases }: { position: At; cases: AttackOdds["cases"] }): VNode {
  const labels = strings(position.lang);
  const arrives = cases.some((each) => each.arrives < 1000);
  const heads = [labels.weather, labels.chance, labels.arrives, labels.printed, labels.win];
  return (
    <FactTable
      heads={heads.filter((head) => arrives || head !== labels.arrives)}
      rows={cases.map(({ weather, chance, arrives: there, attack, defence, wins }) => ({
        key: weather,
        head: weatherName(weather, position.lang),
        cells: [
          percent(chance),
          ...(arrives ? [percent(there)] : []),
          `${attack} : ${defence}`.replaceAll("-", "−"),
          <b key="wins">{percent(wins)}</b>,
        ],
      }))}
    />
  );
}

/** The chance with supporters: a row for each of the attacker's, a column for each of the defender's. */
function Supported({ position, helped }: { position: At; helped: AttackOdds["helped"] }) {
  const labels = strings(position.lang);
  const [first = []] = helped;
  if (helped.length < 2 && first.length < 2) return null;
  return (
    <FactTable
      caption={labels.helped}
      heads={[labels.helpers, ...first.map((_, guards) => labels.against(guards))]}
      rows={helped.map((row, allies) => ({ key: allies, head: allies, cells: row.map(percent) }))}
    />
  );
}

/** The chances of the typed attack or of the battle; the server's sentence if it has no figures. */
export function Chances({ position }: { readonly position: At }): VNode | null {
  const { answers, lang } = position;
  const question = questionOf(position);
  if (question === undefined) return null;
  const answer = answers[question];
  if (answer === undefined) return <p class="soft">{strings(lang).asking}</p>;
  const { wins, cases, helped } = (answer.data ?? {}) as Partial<AttackOdds & BattleOdds>;
  if (wins === undefined) return <p class="told">{answer.text}</p>;
  return (
    <div class="odds">
      <Bar position={position} permille={wins} />
      {cases !== undefined && <Weathers position={position} cases={cases} />}
      {helped !== undefined && <Supported position={position} helped={helped} />}
    </div>
  );
}
