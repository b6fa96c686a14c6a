// The drawings of the lanes with their vehicles, and of the world: chunks of their own.

import { later } from "../../board/index.ts";

export const lanes = later(() => import("./lanes.tsx"));
export const world = later(() => import("./world.tsx"));
