// What the board draws, apart from what is chosen and typed.

import "./art.css";

export { BattleTable } from "./battle.tsx";
export { COAST } from "./coast.ts";
export { Chances } from "./odds.tsx";
export { BuildingMark, Built, Capital } from "./works.tsx";
