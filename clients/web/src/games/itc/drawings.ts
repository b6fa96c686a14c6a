// The drawings of the lanes and their vehicles, a chunk of their own.

import { later } from "../../board/index.ts";

export const lanes = later(() => import("./lanes.tsx"));
