// Sessions of the page for storms: an input a line, a result a line (`tests/sim/twins.py`).

import { createInterface } from "node:readline";
import { type Input, Twins } from "./twins.ts";

const twins = new Twins();
createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(`${JSON.stringify(twins.does(JSON.parse(line) as Input))}\n`);
});
