// The components of the tray that all decisions use.

import type { VNode } from "preact";
import { SeatMark } from "../../board/index.ts";
import { playerName } from "../../board/parts.ts";
import type { At } from "./selectors.ts";
import { strings, yen } from "./strings.ts";
import type { View } from "./view.gen.ts";

/** Payments with their receivers. */
export function DueList(props: {
  readonly position: At;
  readonly dues: View["dues"];
  readonly size: number;
}): VNode {
  const { position, dues, size } = props;
  const { lang } = position;
  return (
    <>
      {dues.map(([payee, amount]) => (
        <span key={payee} class="due">
          {payee === 0 ? (
            strings(lang).bank
          ) : (
            <>
              <SeatMark seat={payee} size={size} />
              <span class="vh">{playerName(position, payee)}</span>
            </>
          )}{" "}
          {yen(amount, lang)}
        </span>
      ))}
    </>
  );
}

export function Owner({ position, line }: { position: At; line: string }): VNode | null {
  const owner = position.view.owners[line];
  return owner === undefined ? null : <SeatMark seat={owner} size={18} />;
}
