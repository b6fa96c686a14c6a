// Whether the seed that is shown after a game is the one that was promised before it.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { commitment } from "../fairness/draws.ts";
import type { Strings } from "../strings/index.ts";

type Verdict = "fits" | "differs" | "unable";

interface FairnessProps {
  readonly words: Strings;
  readonly commit: string;
  readonly seed: string;
}

/** Works in the browser alone; without https it has no means to hash, and says so. */
export async function verdictOf(commit: string, seed: string): Promise<Verdict> {
  if (globalThis.crypto?.subtle === undefined) return "unable";
  return (await commitment(seed)) === commit ? "fits" : "differs";
}

export function Fairness({ words, commit, seed }: FairnessProps): VNode {
  const [verdict, setVerdict] = useState<Verdict>();
  return (
    <details>
      <summary>{words.verify}</summary>
      <p>
        {words.commitment} <code>{commit}</code>
      </p>
      <p>
        {words.seedWas} <code>{seed}</code>
      </p>
      <button
        type="button"
        class="btn"
        onClick={() => {
          void verdictOf(commit, seed).then(setVerdict);
        }}
      >
        {words.verifyNow}
      </button>
      <p role="status">{verdict && words.verdicts[verdict]}</p>
    </details>
  );
}
