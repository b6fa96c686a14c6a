// The pictures of Tokugawa's rules: who stands in towns, and what is built there.

import type { GameBody, Lang, RuleDrawing, RulePictures } from "../../board/index.ts";
import { BuildingMark } from "./art.ts";
import { WeaponMark } from "./icons.tsx";
import { WEAPONS } from "./selectors.ts";
import { buildingName, kindName } from "./strings.ts";

export function picturesIn(lang: Lang, game: GameBody): RulePictures {
  const kinds = [...WEAPONS, "capital"] as const;
  const buildings = ["wall", "castle", "shrine", "smithy", "garden", "ship"] as const;
  return {
    1: kinds.map((kind) => ({
      name: kindName({ game, lang }, kind),
      box: "0 0 22 22",
      drawing: <WeaponMark kind={kind} size={22} />,
    })),
    10: buildings.map((building) => ({
      name: buildingName({ game, lang }, building),
      box: "0 0 18 18",
      drawing: <BuildingMark building={building} />,
    })),
  };
}

/** Six roads between two capitals. */
const roads = (): RuleDrawing => ({
  width: 180,
  drawing: (
    <>
      <path d="M12 24h156" fill="none" stroke="currentColor" stroke-width={3} />
      {[0, 1, 2, 3, 4, 5, 6].map((at) => (
        <circle key={at} cx={12 + at * 26} cy={24} r={at % 6 ? 5 : 9} fill="currentColor" />
      ))}
    </>
  ),
});

export const parts = { roads };
