// What is written on the button of a line that is probably a mistake.

import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { RefusalNote } from "../src/screens/refusalNote.tsx";
import type { Refusal } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

it.each([
  ["ja", "席を手放すことになります。 候補: /退席 !", "/退席 !"],
  ["ja", "まだ動けます。 候補: /休む ! (4.3)", "/休む !"],
  ["en", "That gives your seat up. Perhaps: /leave !", "/leave !"],
] as const)("has the line in the reader's language: %s, %s", (lang, text, label) => {
  const refusal = { code: "rash", text, line: "/leave", candidates: ["/leave !"], rule: "4.3" };
  const shown = render(
    <RefusalNote
      state={visitor(lang, "けん")}
      emit={() => undefined}
      inputKey="1"
      refusal={refusal as unknown as Refusal}
    />,
  );
  expect(/class="chip"[^>]*>([^<]*)</.exec(shown)?.[1]?.trim()).toBe(label);
});
