// Merge patches (RFC 7396). Branches that a patch does not touch stay the same objects, so that
// panels whose part of a view is `===` are not drawn again.

import type { Branch, Tree } from "./tree.ts";
import { isBranch } from "./tree.ts";

/** No view has these keys; a patch with one is an attack or a bug. */
const REFUSED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Raised for a patch that a server must never send. */
export class BadPatch extends Error {
  override name = "BadPatch";
}

/** The tree after a patch. */
export function apply(patch: Tree, target: Tree | undefined): Tree {
  if (!isBranch(patch)) return patch;
  const base: Branch = isBranch(target) ? target : {};
  let merged: Record<string, Tree> | null = isBranch(target) ? null : {};
  for (const key of Object.keys(patch)) {
    if (REFUSED.has(key)) throw new BadPatch(key);
    const value = patch[key];
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    if (value === null || value === undefined) {
      if (before === undefined) continue;
      merged ??= { ...base };
      delete merged[key];
      continue;
    }
    const after = apply(value, before);
    if (after === before) continue;
    merged ??= { ...base };
    merged[key] = after;
  }
  return merged ?? base;
}
