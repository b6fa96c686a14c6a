// The pictures of Tokugawa's rules: who stands in towns, and what is built there.

import type { Lang, RulePictures } from "../../board/index.ts";
import { BuildingMark } from "./art.ts";
import { WeaponMark } from "./icons.tsx";
import { buildingName, kindName } from "./strings.ts";

export function picturesIn(lang: Lang): RulePictures {
  const kinds = ["archer", "spear", "sword", "capital"] as const;
  const buildings = ["wall", "castle", "shrine", "smithy", "garden", "ship"] as const;
  return {
    1: kinds.map((kind) => ({
      name: kindName(kind, lang),
      box: "0 0 22 22",
      drawing: <WeaponMark kind={kind} size={22} />,
    })),
    10: buildings.map((building) => ({
      name: buildingName(building, lang),
      box: "0 0 18 18",
      drawing: <BuildingMark building={building} />,
    })),
  };
}
