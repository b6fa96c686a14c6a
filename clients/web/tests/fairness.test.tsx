import { expect, it } from "vitest";
import { verdictOf } from "../src/screens/fairness.tsx";

const SEED = "b5ad45dc932b245a2f88f729ce30a4a098c868bd549de8bf8d8641b37a5e8501";
const COMMIT = "3e3ad6306223e646dc3f7e11350f0feb820db0b0c85727368477d567f7141104";

it("tells the seed that was promised from another one", async () => {
  expect(await verdictOf(COMMIT, SEED)).toBe("fits");
  expect(await verdictOf(COMMIT, SEED.replace("b5", "b4"))).toBe("differs");
});
