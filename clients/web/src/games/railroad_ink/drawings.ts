// The table and what lies around the sheet, a chunk of its own.

import { later } from "../../board/index.ts";

export const table = later(() => import("./art.ts"));
