// The answers that screens have requested, as the state stores them.

import type { Branch } from "../sdk/tree.ts";

export interface Request {
  readonly is: "asked" | "there" | "refused";
  /** The newest answer, whose shape the screen knows; it stays until the next one. */
  readonly body?: Branch;
  /** Why there is none, or no newer one. */
  readonly text?: string;
}
