// The drawings of the map and of the odds, a chunk of their own.

import { later } from "../../board/index.ts";

export const art = later(() => import("./art.ts"));
