// Who begins the game where this person cannot, and how strong the next bot is.

import type { VNode } from "preact";
import type { GameBody } from "../board/contract.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { tableOf } from "../state/selectors.ts";
import type { ViewProps } from "./viewProps.ts";

/** The house bots, weakest first, with what newcomers call their strength. */
const BOTS = {
  random: ["random: any move", "ランダム:でたらめ"],
  pupil: ["pupil: very easy", "見習い:とてもやさしい"],
  greedy: ["greedy: easy", "欲張り:やさしい"],
  casual: ["casual: easy", "普通:やさしい"],
  club: ["club: medium", "中級:ふつう"],
  strong: ["strong: hard", "上級:強い"],
  master: ["master: very hard", "名人:とても強い"],
} as const;

const LABELS = {
  en: {
    strength: "Strength of bots",
    seated: "A player or the host begins the game.",
    begins: (name: string) => `Only ${name}, the host, begins the game and sets the options.`,
    away: (name: string) =>
      `${name} is away. After two minutes another player is the host and can begin, until ${name} is back.`,
  },
  ja: {
    strength: "ボットの強さ",
    seated: "ゲームを始めるのは、席に着いた人かホストです。",
    begins: (name: string) => `ゲームを始め、オプションを決めるのは、ホストの${name}だけです。`,
    away: (name: string) =>
      `${name}は離席中です。2分たつと、戻るまでの間はほかのプレイヤーがホストになり、始められます。`,
  },
} as const;

export interface WaitingNotesProps extends ViewProps {
  readonly room: RoomView;
  readonly body: GameBody | undefined;
  readonly mayStart: boolean;
  /** The house bot that the next button seats; undefined where none may be seated. */
  readonly bot: string | undefined;
  readonly onBot: (bot: string) => void;
}

export function WaitingNotes(props: WaitingNotesProps): VNode {
  const { state, room, body, mayStart, bot } = props;
  const { lang } = state.settings;
  const labels = LABELS[lang];
  const { host, options } = tableOf(room);
  const isHostAlone = options.host === "on";
  const offered = Object.entries(BOTS).filter(([name]) => body?.bots.includes(name));
  return (
    <>
      {!mayStart && (
        <p role="status">
          {isHostAlone ? labels.begins(host) : labels.seated}{" "}
          {isHostAlone && !room.here.includes(host) && labels.away(host)}
        </p>
      )}
      {bot !== undefined && (
        <label class="option">
          {labels.strength}
          <select
            style={{ width: "auto" }}
            value={bot}
            onChange={(event) => props.onBot(event.currentTarget.value)}
          >
            {offered.map(([name, names]) => (
              <option key={name} value={name}>
                {names[lang === "en" ? 0 : 1]}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
