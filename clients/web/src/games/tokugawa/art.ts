// What the board draws, apart from what is chosen and typed.

import "./art.css";

export { BattleTable } from "./battle.tsx";
/** The land of each province, as paths on a canvas of their own (`STRETCH` in `layout.ts`). */
export { default as COAST } from "./coast.json";
export { Chances } from "./odds.tsx";
export { BuildingMark, Built, Capital } from "./works.tsx";
