// A battle as a table: both sides with strength, supporters and dice.

import type { VNode } from "preact";
import { Die, SeatMark } from "../../board/index.ts";
import { FactTable, playerName } from "../../board/parts.ts";
import {
  type At,
  letterOfSeat,
  type Stander,
  standerOn,
  strengthOf,
  townName,
} from "./selectors.ts";
import { kindName, strings } from "./strings.ts";

interface Fighter {
  readonly piece: Stander;
  readonly text: string;
  readonly helpers: readonly string[];
  readonly dice: readonly number[];
}

function fighters(position: At): readonly Fighter[] {
  const { view, lang } = position;
  const labels = strings(lang);
  const { battle } = view;
  if (battle === undefined) return [];
  const attacker = standerOn(position, battle.origin);
  const defender = standerOn(position, battle.town);
  const result: Fighter[] = [];
  if (attacker !== undefined) {
    const name = playerName(position, attacker.owner);
    const text = labels.attacker(
      name,
      kindName(position, attacker.kind),
      townName(position, battle.origin),
    );
    result.push({ piece: attacker, text, helpers: battle.allies, dice: battle.dice });
  }
  if (defender !== undefined) {
    const text = labels.defender(
      playerName(position, defender.owner),
      kindName(position, defender.kind),
    );
    result.push({ piece: defender, text, helpers: battle.guards, dice: battle.reply });
  }
  return result;
}

function Thrown({ position, dice }: { position: At; dice: readonly number[] }): VNode {
  const labels = strings(position.lang);
  return (
    <span class="dice">
      <span class="vh">{dice.length === 0 ? labels.notThrown : dice.join(labels.and)}</span>
      {[0, 1].map((n) => (
        <Die key={n} value={dice[n]} />
      ))}
    </span>
  );
}

export function BattleTable({ position }: { readonly position: At }): VNode {
  const labels = strings(position.lang);
  const { fixed } = position;
  return (
    <FactTable
      class="battle"
      heads={[labels.side, labels.printed, labels.helpers, labels.dice]}
      rows={fighters(position).map(({ piece, text, helpers, dice }) => ({
        key: piece.owner,
        head: (
          <>
            <SeatMark seat={piece.owner} size={18} text={letterOfSeat(position, piece.owner)} />{" "}
            <bdi>{text}</bdi>
          </>
        ),
        cells: [
          `${strengthOf(fixed, piece) ?? labels.dash}${piece.weak ? ` (${labels.weak})` : ""}`,
          helpers.map((town) => townName(position, town)).join(labels.and) || labels.dash,
          <Thrown key="dice" position={position} dice={dice} />,
        ],
      }))}
    />
  );
}
