// Checks that the seed shown after a game is the one that was committed before it.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { commitment } from "../fairness/draws.ts";
import type { Strings } from "../strings/index.ts";

type Verdict = "fits" | "differs" | "unable";

interface FairnessProps {
  readonly strings: Strings;
  readonly commit: string;
  readonly seed: string;
}

/** Runs in the browser alone; without https there is no hash function, and the result says so. */
export async function verdictOf(commit: string, seed: string): Promise<Verdict> {
  if (globalThis.crypto?.subtle === undefined) return "unable";
  return (await commitment(seed)) === commit ? "fits" : "differs";
}

export function Fairness({ strings, commit, seed }: FairnessProps): VNode {
  const [verdict, setVerdict] = useState<Verdict>();
  return (
    <details>
      <summary>{strings.verify}</summary>
      <p>
        {strings.commitment} <code>{commit}</code>
      </p>
      <p>
        {strings.seedWas} <code>{seed}</code>
      </p>
      <button
        type="button"
        class="btn"
        onClick={() => {
          void verdictOf(commit, seed).then(setVerdict);
        }}
      >
        {strings.verifyNow}
      </button>
      <p role="status">{verdict && strings.verdicts[verdict]}</p>
    </details>
  );
}
