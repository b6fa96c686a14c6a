// A table that is there when a page opens: its lines are sent by a program.

import type { Page } from "playwright-core";
import { Client } from "../../src/sdk/client.ts";
import type { RoomId } from "../../src/sdk/clientEvents.ts";
import type { House } from "./house.ts";

/** The games with boards, by their keys. */
export const GAMES = ["manhattan", "railroad_ink", "tokai", "itc", "tokugawa"] as const;

let people = 0;

/** A name that no other person of the run has. */
function newName(): string {
  people += 1;
  return `Guest${people}`;
}

/**
 * A newcomer's table with a bot, as "Play now" makes it; the page opens there, without start page
 * and lesson.
 */
export async function sitDown(
  page: Page,
  house: Pick<House, "url">,
  game = "manhattan",
  name = newName(),
): Promise<void> {
  const client = new Client(`${house.url.replace("http", "ws")}/ws`, { name });
  const say = async (text: string, room?: RoomId): Promise<RoomId> => {
    const reply = await client.say(text, { room });
    if (!reply.ok || reply.room === undefined) throw new Error(`${text}: ${reply.text}`);
    return reply.room;
  };
  const room = await say(`/newroom ${game} unlisted`);
  for (const line of ["/join", "/bot", "/option hints on", "/option coach on"]) {
    await say(line, room);
  }
  await page.addInitScript(
    (all) => {
      for (const [key, value] of Object.entries(all)) {
        localStorage[`bluebear.${key}`] ??= JSON.stringify(value);
      }
    },
    { name, token: client.token },
  );
  await page.goto(`${house.url}/room/${room}`);
  await page.locator(".waiting").waitFor();
  // What the coach says at the start is heard by a page that is there.
  await say("/start", room);
  client.close();
  // Not `waitForSelector`: its result would retain the board in the page.
  await page.locator(".board-root").waitFor();
}

/** Open the rules beside the board. */
export async function openRules(page: Page): Promise<void> {
  await page
    .locator("#tools")
    .getByRole("button", { name: /^(Rules|ルール)$/ })
    .click();
  await page.locator(".rules-page .newcomers").first().waitFor();
}
