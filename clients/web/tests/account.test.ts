// The lines that the forms of the account send.

import { describe, expect, it } from "vitest";
import { tokenLine } from "../src/screens/account.tsx";

describe("the line that makes a bot", () => {
  it("is short where the bot may do what is usual", () => {
    expect(tokenLine("Robo", ["play", "chat"])).toBe("/token Robo");
  });

  it("names what it may do else, always in the same order", () => {
    expect(tokenLine("Robo", ["host", "chat"])).toBe("/token Robo chat,host");
    expect(tokenLine("Robo", [])).toBe("/token Robo read");
  });
});
