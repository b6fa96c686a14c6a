// Each kind of vote over a real server: its card is on every page of the room, the voters answer it
// by a button, and no page throws.

import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { en, type Strings } from "../../src/strings/en.ts";
import { ja } from "../../src/strings/ja.ts";
import { findings } from "./axe.ts";
import { type House, houseFor } from "./house.ts";
import { arrive, say } from "./people.ts";

/** The time after which a vote about an absent player is opened. */
const AWAY_SECONDS = 3;
const house = houseFor({ bare: true, limits: { AWAY_SECONDS } });

const FOLDER = process.env.SHOTS;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** A newcomer in a room. */
async function guest(
  number: string,
  name: string,
  door: string,
  options: Parameters<House["visitor"]>[0] = {},
): Promise<Page> {
  const { page } = await house.visitor(options);
  await page.goto(`${house.url}/room/${number}`);
  await page.fill("#name", name);
  await page.getByRole("button", { name: door, exact: true }).click();
  await page.waitForSelector(".room");
  return page;
}

function card(page: Page): Locator {
  return page.locator(".vote");
}

/** The card has this text, and two buttons for voters, one for the person who asks, else none. */
async function asks(page: Page, text: string, votes: boolean | "opened"): Promise<void> {
  await expect.poll(() => card(page).locator("b").allTextContents()).toEqual([text]);
  const buttons = votes === "opened" ? 1 : votes ? 2 : 0;
  await expect.poll(() => card(page).getByRole("button").count()).toBe(buttons);
}

/** The person who has opened a vote withdraws it; then the card disappears from every page. */
async function withdraw(page: Page, all: readonly Page[]): Promise<void> {
  await card(page).getByRole("button", { name: en.withdraw }).click();
  for (const each of all) await expect.poll(() => card(each).count()).toBe(0);
}

/** As many voters refuse as decide the vote; then the card disappears from every page. */
async function refuse(pages: readonly Page[], all: readonly Page[]): Promise<void> {
  for (const page of pages) {
    const strings = (await page.getAttribute("html", "lang")) === "ja" ? ja : en;
    await card(page).getByRole("button", { name: strings.refuse }).click();
  }
  for (const page of all) await expect.poll(() => card(page).count()).toBe(0);
}

/** Cem reads Japanese. */
function stringsOf(name: string): Strings {
  return name === "Cem" ? ja : en;
}

/** The one of these who is to move, once one of them is. */
async function toMove(page: Page, names: readonly string[]): Promise<string> {
  const turn = page.locator(".seat.turn b bdi");
  await expect.poll(() => turn.textContent()).toMatch(new RegExp(names.join("|")));
  return (await turn.textContent()) ?? "";
}

it("each kind of vote has its card on every page, and is answered there", async () => {
  const seen: string[] = [];
  const { page: host } = await house.visitor();
  await arrive(host, house, "Hana");
  await host.locator(".lobby-door").click();
  await host.waitForSelector(".rooms");
  await host.fill("#line", "/newroom manhattan public");
  await host.press("#line", "Enter");
  await host.waitForSelector(".waiting");
  const number = host.url().split("/").at(-1) ?? "";
  const ayu = await guest(number, "Ayu", en.sitDown);
  const ben = await guest(number, "Ben", en.sitDown, PHONE);
  const cem = await guest(number, "Cem", ja.sitDown, { locale: "ja" });
  await say(host, "/bot");
  await say(host, "/start");
  const all = [host, ayu, ben, cem];
  for (const page of all) await page.waitForSelector(".board-root");

  await say(host, "/kick Cem");
  for (const page of [ayu, ben]) await asks(page, en.voteKind.kick("Hana", "Cem"), true);
  await asks(cem, ja.voteKind.kick("Hana", "Cem"), false);
  await asks(host, en.voteKind.kick("Hana", "Cem"), "opened");
  // While a vote is open lines are sent and received as usual.
  await say(cem, "もう少し待って");
  for (const page of all) {
    await page.locator(".log-line.talk", { hasText: "もう少し待って" }).waitFor({
      state: "attached",
    });
  }
  expect(await findings(ayu)).toEqual([]);
  expect(await findings(ben)).toEqual([]);
  if (FOLDER !== undefined) {
    await ayu.screenshot({ path: `${FOLDER}/kick-desk.png` });
    await ben.screenshot({ path: `${FOLDER}/kick-phone.png` });
    await cem.screenshot({ path: `${FOLDER}/kick-ja.png` });
  }
  seen.push("kick");
  await refuse([ayu], all);

  for (const kind of ["pause", "masterreset"] as const) {
    await say(ayu, `/${kind} !`);
    await asks(ben, en.voteKind[kind]("Ayu"), true);
    await asks(cem, ja.voteKind[kind]("Ayu"), true);
    await asks(host, en.voteKind[kind]("Ayu"), false);
    await asks(ayu, en.voteKind[kind]("Ayu"), "opened");
    seen.push(kind);
    if (kind === "pause") await withdraw(ayu, all);
    else await refuse([cem], all);
  }

  const dan = await guest(number, "Dan", "Only watch");
  await say(dan, "/join 4");
  for (const page of [ayu, ben]) await asks(page, en.voteKind.seat("Dan"), true);
  await asks(cem, ja.voteKind.seat("Dan"), true);
  await asks(host, en.voteKind.seat("Dan"), false);
  await asks(dan, en.voteKind.seat("Dan"), "opened");
  seen.push("seat");
  await refuse([ayu, cem], all);

  // Two have taken their blocks: an undo of the first one needs a vote.
  const players: Readonly<Record<string, Page>> = { Ayu: ayu, Ben: ben, Cem: cem };
  const first = await toMove(host, Object.keys(players));
  await say(players[first] as Page, "/take 4 3 2 2 1 1");
  const rest = Object.keys(players).filter((name) => name !== first);
  const second = await toMove(host, rest);
  await say(players[second] as Page, "/take 4 3 2 2 1 1");
  await say(players[first] as Page, "/undo");
  for (const each of rest) {
    await asks(players[each] as Page, stringsOf(each).voteKind.undo(first), true);
  }
  seen.push("undo");
  await refuse([players[rest[0] ?? ""] as Page], all);

  // The player to move leaves without a word.
  const toLeave = await toMove(host, Object.keys(players));
  await (players[toLeave] as Page).context().close();
  await asks(host, en.voteKind.remove("", toLeave), false);
  for (const each of Object.keys(players).filter((name) => name !== toLeave)) {
    const page = players[each] as Page;
    await asks(page, stringsOf(each).voteKind.remove("", toLeave), true);
    await card(page)
      .getByRole("button", { name: stringsOf(each).accept })
      .click();
  }
  await expect.poll(() => card(host).count()).toBe(0);
  await expect
    .poll(() => host.locator(".seat", { hasText: toLeave }).textContent())
    .toContain("bot");
  seen.push("remove");
  expect(seen.toSorted()).toEqual(Object.keys(en.voteKind).toSorted());
}, 240_000);
