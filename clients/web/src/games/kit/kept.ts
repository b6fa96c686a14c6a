// Nodes of before, where nothing that they are made from has changed: what is the very same node is
// not looked at again, however many places a board has.

import type { VNode } from "preact";
import { useRef } from "preact/hooks";

interface Kept {
  readonly inputs: readonly unknown[];
  readonly node: VNode;
}

export type Keep = (key: string, inputs: readonly unknown[], make: () => VNode) => VNode;

/** Gives the node of a key, made anew when one of its inputs is another one than before. */
export function useKept(): Keep {
  const kept = useRef(new Map<string, Kept>());
  return (key, inputs, make) => {
    const before = kept.current.get(key);
    const same =
      before?.inputs.length === inputs.length &&
      before.inputs.every((input, at) => Object.is(input, inputs[at]));
    if (before !== undefined && same) return before.node;
    const node = make();
    kept.current.set(key, { inputs, node });
    return node;
  };
}
