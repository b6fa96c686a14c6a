// The pictures of I.T.C.'s rules: the four routes, and the goods.

import { type GameBody, type Lang, localValue, type RulePictures } from "../../board/index.ts";
import { Good } from "./goodIcon.tsx";
import { Vehicle } from "./lanes.tsx";
import { LETTER, routeName } from "./strings.ts";

export function picturesIn(lang: Lang, { words }: GameBody): RulePictures {
  return {
    2: ["grey", "red", "blue", "green"].map((route) => ({
      name: `${routeName(route, lang)} (${localValue(words, "route", route, lang)})`,
      box: "0 0 64 46",
      drawing: <Vehicle route={route} goods={[]} width={60} y={44} />,
    })),
    3: Object.keys(LETTER).map((good) => ({
      name: localValue(words, "good", good, lang),
      box: "-2 -2 28 28",
      drawing: <Good good={good} x={0} y={0} size={24} />,
    })),
  };
}
