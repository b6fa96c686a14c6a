// A battle as a table: both sides with strength, supporters and dice.

import type { VNode } from "preact";
import { SeatMark } from "../../board/index.ts";
import { Die } from "./icons.tsx";
import {
  type At,
  letterOfSeat,
  type Stander,
  standerOn,
  strengthOf,
  townName,
  whoIs,
} from "./selectors.ts";
import { namesIn, words } from "./strings.ts";

interface Fighter {
  readonly piece: Stander;
  readonly told: string;
  readonly helpers: readonly string[];
  readonly dice: readonly number[];
}

function fighters(position: At): readonly Fighter[] {
  const { view, lang } = position;
  const said = words(lang);
  const { kind } = namesIn(lang);
  const { battle } = view;
  if (battle === undefined) return [];
  const attacker = standerOn(position, battle.origin);
  const defender = standerOn(position, battle.town);
  const found: Fighter[] = [];
  if (attacker !== undefined) {
    const name = whoIs(position, attacker.owner);
    const told = said.attacker(name, kind[attacker.kind], townName(position, battle.origin));
    found.push({ piece: attacker, told, helpers: battle.allies, dice: battle.dice });
  }
  if (defender !== undefined) {
    const told = said.defender(whoIs(position, defender.owner), kind[defender.kind]);
    found.push({ piece: defender, told, helpers: battle.guards, dice: battle.reply });
  }
  return found;
}

function Thrown({ position, dice }: { position: At; dice: readonly number[] }): VNode {
  const said = words(position.lang);
  return (
    <span class="dice">
      <span class="vh">{dice.length === 0 ? said.notThrown : dice.join(said.and)}</span>
      {[0, 1].map((n) => (
        <Die key={n} value={dice[n]} />
      ))}
    </span>
  );
}

export function BattleTable({ position }: { readonly position: At }): VNode {
  const said = words(position.lang);
  const { fixed } = position;
  return (
    <table class="facts battle">
      <thead>
        <tr>
          <th scope="col">{said.side}</th>
          <th scope="col">{said.printed}</th>
          <th scope="col">{said.helpers}</th>
          <th scope="col">{said.dice}</th>
        </tr>
      </thead>
      <tbody>
        {fighters(position).map(({ piece, told, helpers, dice }) => (
          <tr key={piece.owner}>
            <th scope="row">
              <SeatMark seat={piece.owner} size={18} text={letterOfSeat(position, piece.owner)} />{" "}
              <bdi>{told}</bdi>
            </th>
            <td>
              {strengthOf(fixed, piece) ?? said.nobody}
              {piece.weak && ` (${said.weak})`}
            </td>
            <td>
              {helpers.length === 0
                ? said.nobody
                : helpers.map((town) => townName(position, town)).join(said.and)}
            </td>
            <td>
              <Thrown position={position} dice={dice} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
