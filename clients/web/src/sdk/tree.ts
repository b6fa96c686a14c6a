// Plain trees: the form of views and patches.

/** The JSON values that a view has: no fractions, no nulls (absent fields are left out). */
export type Tree = string | number | boolean | null | readonly Tree[] | Branch;

export interface Branch {
  readonly [key: string]: Tree;
}

/** Whether a tree is an object. */
export function isBranch(tree: unknown): tree is Branch {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}
