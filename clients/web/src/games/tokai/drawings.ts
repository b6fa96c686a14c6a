// The drawings around the lines and the cards of two routes, a chunk of their own.

import { later } from "../../board/index.ts";

export const art = later(() => import("./art.ts"));
