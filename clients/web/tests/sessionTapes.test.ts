// The tapes of storms (`tests/sim/twins.py`): this session does what the Python one has done.

import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Input, type Result, Twins } from "./twins.ts";

const FOLDER = new URL("../../../tests/corpus/sessions/", import.meta.url).pathname;
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl.gz"));

describe("a session does in storms what the Python one does", () => {
  it.each(FILES)("%s", (name) => {
    const lines = gunzipSync(readFileSync(FOLDER + name))
      .toString("utf8")
      .trim()
      .split("\n");
    expect(lines.length).toBeGreaterThan(100);
    const twins = new Twins();
    for (const line of lines) {
      const { send, happened, ...input } = JSON.parse(line) as Input & Result;
      expect({ ...input, ...twins.does(input) }).toEqual({ ...input, send, happened });
    }
  });
});
