// The drawings of the cities, a chunk of their own.

import { later } from "../../board/index.ts";

export const towers = later(() => import("./tower.tsx"));
