// The page with a real server: what a visitor can do by clicking alone, from the first page on.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { arrive, clickAMove, line, play, playByKeys, say, walkTo } from "./people.ts";
import { sitDown } from "./table.ts";

// Complete games are played faster than people may send lines.
const house = houseFor({ bare: true });

/** The file that a button saves. */
async function saved(page: Page, name: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

/** The shown step of a replay. */
async function shownStep(page: Page): Promise<number> {
  return Number.parseInt((await page.locator(".look-back .step").textContent()) ?? "", 10);
}

/** The labels of the places on the board. */
async function boardLabels(page: Page): Promise<string> {
  const boardSpots = page.locator(".board [data-place]");
  return boardSpots.evaluateAll((all) =>
    all.map((each) => each.getAttribute("aria-label") ?? each.textContent).join("; "),
  );
}

it("a whole game of Manhattan is played by clicking alone, and on a phone of 360 px by touch", async () => {
  const { page: ayu } = await house.visitor();
  await arrive(ayu, house, "Ayu");
  await ayu.getByRole("button", { name: "To the lobby" }).click();
  await ayu.locator(".new-room .game-card", { hasText: "Manhattan" }).click();
  await ayu.getByRole("button", { name: "Make the room" }).click();
  await ayu.getByRole("button", { name: "Add a bot" }).first().click();
  await expect.poll(() => ayu.locator(".seats .seat").count()).toBe(2);
  await ayu.getByRole("button", { name: "Add a bot" }).first().click();
  await expect.poll(() => ayu.locator(".seats .seat").count()).toBe(3);

  const { page: ken } = await house.visitor({
    locale: "ja",
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await arrive(ken, house, "けん", "マンハッタン");
  await ken.getByRole("button", { name: "ロビーへ" }).click();
  await ken
    .locator(".rooms .row", { hasText: "Ayu" })
    .getByRole("button", { name: "座る" })
    .click();
  await ken.waitForSelector(".waiting");
  await ayu.getByRole("button", { name: "Start with 4" }).click();

  await Promise.all([ayu.waitForSelector(".board-root"), ken.waitForSelector(".board-root")]);
  // A first tap types, a second one sends.
  const [, taps] = await Promise.all([play(ayu), play(ken, {}, { touch: true })]);
  expect(taps).toBeGreaterThan(20);
  await expect.poll(() => ayu.locator(".result").count()).toBe(1);
  expect(await ayu.locator(".result ol li").count()).toBe(4);
  expect(await ken.locator(".result h2").textContent()).toContain("勝ち");

  const record = await saved(ayu, "Save the record");
  expect(record.name).toMatch(/^manhattan-\w+\.record$/);
  expect(record.text).toMatch(/^bluebear record 1\ngame manhattan/);
  const minutes = await saved(ken, "経過を保存");
  expect(minutes.name).toMatch(/^manhattan-\w+\.txt$/);
  expect(minutes.text).toContain("マンハッタン");
  expect(minutes.text).toContain("  1. Ayu");
  expect(minutes.text.split("\n").length).toBeGreaterThan(90);

  await ayu.getByRole("button", { name: "Look back" }).click();
  const steps = ayu.locator(".look-back");
  await expect.poll(() => shownStep(ayu)).toBeGreaterThan(90);
  const last = await shownStep(ayu);
  const end = await boardLabels(ayu);
  await steps.getByRole("slider").press("Home");
  await expect.poll(() => shownStep(ayu)).toBe(0);
  await expect.poll(() => boardLabels(ayu)).not.toBe(end);
  // A score opens its paragraph, while the board looks back, too.
  await ayu.locator(".result summary").first().click();
  await ayu.locator(".result .facts .link", { hasText: "5.2" }).click();
  await ayu.locator(".rules-page details[open] [data-rule='5.2']:focus").waitFor();
  await ayu.keyboard.press("Escape");
  await steps.locator(".btn.act").click();
  await steps.waitFor({ state: "detached" });

  await ayu.getByRole("button", { name: "Replay" }).click();
  await expect.poll(() => new URL(ayu.url()).search).toBe("?move=0");
  await steps.getByText(`0 / ${last}`).waitFor();
  // Each seat's sentence is beside its piece.
  const sentences = ayu.locator(".steps .told:has(svg)");
  await expect.poll(() => sentences.count()).toBeGreaterThan(4);
  const gaps = await sentences.evaluateAll((all) =>
    all.map((each) => {
      const [piece, text] = [...each.children].map((child) => child.getBoundingClientRect());
      return (text?.left ?? 0) - (piece?.right ?? 0);
    }),
  );
  expect(Math.min(...gaps)).toBeGreaterThan(0);
  await steps.getByRole("slider").press("End");
  await expect.poll(() => shownStep(ayu)).toBe(last);
  for (let back = 0; back < 3; back += 1) {
    await steps.getByRole("button", { name: "One step back" }).click();
  }
  await expect.poll(() => new URL(ayu.url()).search).toBe(`?move=${last - 3}`);
  await ayu.locator(".steps button").first().click();
  await expect.poll(() => shownStep(ayu)).toBeLessThan(last - 3);
  await steps.getByRole("button", { name: "Play", exact: true }).click();
  const from = await shownStep(ayu);
  await expect.poll(() => shownStep(ayu)).toBeGreaterThan(from);
  await steps.getByRole("button", { name: "Stop" }).click();
  const link = ayu.url();
  const there = await boardLabels(ayu);

  const { page: sora } = await house.visitor();
  await sora.goto(link);
  await sora.locator(".sitting", { hasText: "けん" }).waitFor();
  await sora.fill("#name", "Stranger");
  await sora.getByRole("button", { name: "Watch the replay" }).click();
  await expect.poll(() => boardLabels(sora)).toBe(there);
  expect(sora.url()).toBe(link);
  await sora.getByRole("button", { name: "Go on from here" }).click();
  await sora.locator(".seat-choice", { hasText: "けん" }).waitFor();
  expect(await sora.locator(".seat-choice").count()).toBe(4);
  expect(sora.url()).toMatch(/\/room\/\d+$/);
}, 240_000);

it("without JavaScript, and where the page cannot start, it says so in both languages", async () => {
  const { page: plain, context } = await house.visitor({ javaScriptEnabled: false });
  await plain.goto(house.url);
  for (const lang of ["en", "ja"]) {
    const notice = plain.locator(`noscript p[lang=${lang}]`);
    expect(await notice.textContent()).toContain("JavaScript");
    expect((await notice.boundingBox())?.height).toBeGreaterThan(10);
  }
  expect(await plain.locator("#too-old").isVisible()).toBe(false);
  await context.close();

  const { page: old } = await house.visitor({ serviceWorkers: "block" });
  const unread = { contentType: "text/javascript", body: "this is of another time" };
  await old.route("**/assets/*.js", (route) => route.fulfill(unread));
  await old.goto(house.url);
  await old.getByText("This page could not start.").waitFor();
  await old.getByText("ページを表示できませんでした。").waitFor();
  expect(house.errors.splice(0).join()).toContain("SyntaxError");
});

/** Runs in the page: counts the animations of pieces that begin, as the browser can run them alone. */
function countMotions(): void {
  const { animate } = Element.prototype;
  document.body.dataset.motions = "0";
  Element.prototype.animate = function (...given) {
    if (this.matches("[data-piece]") && this.getAnimations().length === 0) {
      document.body.dataset.motions = String(Number(document.body.dataset.motions) + 1);
    }
    return animate.apply(this, given);
  };
}

/** Runs in the page: how many pieces are on their way. */
function moving(): number {
  const all = [...document.querySelectorAll("[data-piece]")];
  return all.flatMap((each) => each.getAnimations()).length;
}

it("an update is drawn before the next frame of the browser", async () => {
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  await sitDown(page, house);
  await page.locator("[data-place].may").first().waitFor();
  await page.evaluate(() => {
    const frames = { late: 0 };
    Object.assign(window, { frames });
    const talks = (): number => document.querySelectorAll(".log-line.talk").length;
    // A frame comes late, and counts the lines of talk that it has drawn.
    window.requestAnimationFrame = (draw) =>
      window.setTimeout(() => {
        const before = talks();
        draw(performance.now());
        frames.late += talks() - before;
      }, 200);
  });
  // What arrives later in the same frame is drawn with it, so one line may be.
  const lines = ["before", "the", "frame"];
  for (const text of lines) {
    await page.fill("#line", text);
    await page.press("#line", "Enter");
    await page.locator(".log-line.talk", { hasText: text }).last().waitFor();
    await page.waitForTimeout(400);
  }
  const late = await page.evaluate(
    () => (window as unknown as { frames: { late: number } }).frames.late,
  );
  expect(late).toBeLessThan(lines.length);
});

it("a board and the server's sentences change their language with the page, and load no other before", async () => {
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  const loaded = new Set<string>();
  page.on("request", (request) => {
    const phrases = /phrases\.(en|ja)/.exec(request.url());
    if (phrases?.[1] !== undefined) loaded.add(phrases[1]);
  });
  await sitDown(page, house, "tokugawa");
  await page.locator("[data-place].may").first().waitFor();
  expect([...loaded]).toEqual(["en"]);
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByText("契約とストック").waitFor();
  expect([...loaded]).toEqual(["en", "ja"]);
  await page.locator(".tools .btn", { hasText: "ルール" }).waitFor();
  await expect.poll(() => page.locator(".log").textContent()).toContain("席に");
  expect(await page.getAttribute("html", "lang")).toBe("ja");
});

it("a block that is built falls to its place, a reload comes back, and one looks back to before", async () => {
  const { page } = await house.visitor({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: "allow",
  });
  await sitDown(page, house);
  const hand = async () =>
    (await boardLabels(page)).replaceAll(", legal", "").match(/Card [^;]*/g) ?? [];
  await expect.poll(hand).toHaveLength(4);
  const begun = await hand();
  await page.evaluate(countMotions);
  await expect
    .poll(async () => {
      await clickAMove(page);
      return Number(await page.evaluate(() => document.body.dataset.motions));
    })
    .toBeGreaterThan(1);
  await page.keyboard.press("Shift");
  expect(await page.evaluate(moving)).toBe(0);
  expect(await page.locator(".tower").count()).toBeGreaterThan(0);

  await expect
    .poll(async () => {
      await clickAMove(page);
      return page.locator(".tower").count();
    })
    .toBeGreaterThan(2);
  await say(page, "back soon");
  await page.reload();
  await page.waitForSelector(".board-root");
  await expect.poll(() => page.locator(".log-line.talk", { hasText: "back soon" }).count()).toBe(1);
  await page.locator(".board [data-place].may").first().waitFor();
  const now = await boardLabels(page);
  await page.getByRole("button", { name: "Look back" }).click();
  const slider = page.locator(".look-back").getByRole("slider");
  await expect.poll(() => shownStep(page)).toBeGreaterThan(3);
  await slider.press("Home");
  await expect.poll(() => shownStep(page)).toBe(0);
  await expect.poll(() => boardLabels(page)).not.toBe(now);
  expect(await page.locator(".board [data-place].may").count()).toBe(0);
  // An empty board, with the hand of the beginning; only that nothing may be taken there now.
  await expect.poll(hand).toEqual(begun);
  expect(await page.locator(".tower").count()).toBe(0);
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect.poll(() => boardLabels(page)).toBe(now);
});

/** Runs in the page: notes each sentence about a move of others that stands over the task. */
function noteSentences(): void {
  const sentences: string[] = [];
  Object.assign(window, { sentences });
  const look = (): void => {
    const text = document.querySelector(".opponent-move b")?.textContent ?? "";
    if (text !== (sentences.at(-1) ?? "")) sentences.push(text);
    requestAnimationFrame(look);
  };
  look();
}

it("moves of others are told one by one over the task, until a key skips them", async () => {
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  await arrive(page, house, "Nia");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.locator(".new-room .game-card", { hasText: "Manhattan" }).click();
  await page.getByRole("button", { name: "Make the room" }).click();
  for (const seated of [2, 3]) {
    await page.getByRole("button", { name: "Add a bot" }).first().click();
    await expect.poll(() => page.locator(".seats .seat").count()).toBe(seated);
  }
  await say(page, "/startnosave");
  await page.locator(".board-root").waitFor();
  await page.evaluate(noteSentences);
  const sentences = () =>
    page.evaluate(() => (window as unknown as { sentences: string[] }).sentences);
  await play(page, { until: "round 2" });
  // A click skips what is being said: on a busy machine a round may have been clicked away.
  await expect
    .poll(async () => {
      const ofBots = (await sentences()).filter((text) => /@\S+ builds \d floors?/.test(text));
      if (ofBots.length > 1) return true;
      await clickAMove(page);
      return false;
    })
    .toBe(true);
  const shown = page.locator(".opponent-move");
  await expect
    .poll(async () => {
      if ((await shown.count()) > 0) return true;
      await clickAMove(page);
      return false;
    })
    .toBe(true);
  await page.keyboard.press("Shift");
  await expect.poll(() => shown.count()).toBe(0);
});

it("a hint is drawn on the board, says why, and is played by its button alone", async () => {
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  await sitDown(page, house, "itc");
  await page.getByRole("button", { name: "Hint" }).click();
  const glow = page.locator(".task .hint-marks [data-hint]").first();
  await glow.waitFor();
  const [hinted, frame] = await Promise.all([
    glow.boundingBox(),
    page.locator("[data-board]").boundingBox(),
  ]);
  if (hinted === null || frame === null) throw new Error("no hint is drawn");
  const [x, y] = [hinted.x + hinted.width / 2, hinted.y + hinted.height / 2];
  expect(x > frame.x && x < frame.x + frame.width).toBe(true);
  expect(y > frame.y && y < frame.y + frame.height).toBe(true);
  const why = await page.locator(".task.hinted small").textContent();
  expect(why).toMatch(/\w{4}/);
  expect(why).not.toContain("/");
  const typed = await line(page);
  expect(typed).toMatch(/^\/\w/);
  // What the coach has said stays, without its rings, and a text about a place leaves the button free.
  await page.locator(".coach p").waitFor();
  expect(await page.locator(".coach .hint-marks").count()).toBe(0);
  await page.locator("[data-place='place asia']").hover();
  await page.locator("#explanation").waitFor();
  await page.getByRole("button", { name: "Do it" }).click();
  await expect.poll(() => line(page)).not.toBe(typed);
  await page.locator(".task .hint-marks").waitFor({ state: "detached" });
});

it("an invite link leads into a private room, and says before what is played there", async () => {
  const { page } = await house.visitor();
  await arrive(page, house, "Ben");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.locator(".new-room .game-card", { hasText: "Manhattan" }).click();
  await page.locator(".new-room select").selectOption("private");
  await page.getByRole("button", { name: "Make the room" }).click();
  await page.getByRole("button", { name: "Invite link" }).click();
  const note = page.locator(".log-line.note", { hasText: "/r/" });
  await note.waitFor();
  const link = /http\S+\/r\/[0-9a-f]+/.exec((await note.textContent()) ?? "")?.[0] ?? "";

  const { page: guest } = await house.visitor();
  await guest.goto(link);
  await guest.getByRole("heading", { name: "Manhattan" }).waitFor();
  expect(await guest.locator(".sitting").textContent()).toContain("Ben");
  // Seat 1 may be free: whose seat is which is not known here.
  expect(await guest.locator(".sitting .seat-mark").count()).toBe(0);
  await guest.fill("#name", "Suki");
  await guest.getByRole("button", { name: "Sit down" }).click();
  await guest.waitForSelector(".waiting");
  await expect.poll(() => page.locator(".seats .seat").count()).toBe(2);
});

it("a wrong password is said in place, and the right one leads in", async () => {
  const { page } = await house.visitor();
  await arrive(page, house, "Emi");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.locator(".new-room .game-card", { hasText: "Tokugawa" }).click();
  await page.locator(".new-room input[type=password]").fill("kumamon");
  await page.getByRole("button", { name: "Make the room" }).click();
  await page.waitForSelector(".waiting");
  const room = page.url().split("/").at(-1) ?? "";

  const { page: guest } = await house.visitor();
  await arrive(guest, house, "Jonas");
  await guest.getByRole("button", { name: "To the lobby" }).click();
  const row = guest.locator(".rooms .row", { hasText: room });
  await row.getByRole("button", { name: "Sit down" }).click();
  await row.locator("input[type=password]").fill("wrong");
  await row.getByRole("button", { name: "Enter" }).click();
  await guest.locator(".refused, .refusal").first().waitFor();
  await row.locator("input[type=password]").fill("kumamon");
  await row.getByRole("button", { name: "Enter" }).click();
  await guest.waitForSelector(".waiting");
  const stored = await guest.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(stored).not.toContain("kumamon");
});

it("a game goes on over a restart of the server, and the half-typed line is kept", async () => {
  const { page, context } = await house.visitor({ serviceWorkers: "allow" });
  await sitDown(page, house);
  // The worker has what a page loads from then on.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.locator(".board-root").waitFor();
  await page.fill("#line", "half a thought");
  await house.without(async () => {
    await page.locator(".link-bar").waitFor();
    const opened = await context.newPage();
    await opened.goto(page.url());
    await opened.locator(".link-bar").waitFor();
    await opened.close();
  });
  await page.locator(".link-bar").waitFor({ state: "detached", timeout: 30_000 });
  expect(await line(page)).toBe("half a thought");
  await page.press("#line", "Enter");
  await page.locator(".log-line.talk", { hasText: "half a thought" }).waitFor();
  house.errors.length = 0; // the browser logs each refused connection
});

it("a turn is played by keyboard alone", async () => {
  const { page } = await house.visitor();
  await sitDown(page, house, "railroad_ink");
  await page.locator("[data-place].may").first().waitFor();
  await page.focus("#line");
  await page.keyboard.press("F6");
  for (let drawn = 1; drawn <= 2; drawn += 1) {
    await walkTo(page, "die ");
    await page.keyboard.press("Enter");
    await walkTo(page, "square ");
    await page.keyboard.press("Enter");
    await page.locator(".send.armed").waitFor();
    await page.keyboard.press("Shift+F6");
    await page.keyboard.press("Enter");
    await page.getByText(`${drawn} of 4 drawn`).waitFor();
    await page.locator("[data-place^=die].may").first().waitFor();
    await page.keyboard.press("F6");
  }
});

/** How far the page can be scrolled sideways. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

it("a whole game of Manhattan is played by keyboard alone, and nothing moves where none may", async () => {
  const { page } = await house.visitor({
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 900 },
  });
  await sitDown(page, house);
  await page.locator("[data-place].may").first().waitFor();
  // A refusal leaves the line as it was.
  await page.fill("#line", "/bord");
  await page.press("#line", "Enter");
  await page.locator(".refusal").waitFor();
  expect(await line(page)).toBe("/bord");
  await page.fill("#line", "");
  // After a refusal, and after a dialog is closed, the keyboard focus is where it was.
  await page.focus("#line");
  await page.keyboard.type("/build 9 cairo 10");
  await page.keyboard.press("Enter");
  await page.locator(".refusal").waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("line");
  await page.fill("#line", "");
  const settings = page.getByRole("button", { name: "Settings" });
  await settings.focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  expect(await settings.evaluate((each) => each === document.activeElement)).toBe(true);

  const presses = await playByKeys(page, { still: true });
  // Four rounds of six blocks taken and six built, each of several choices.
  expect(presses).toBeGreaterThan(48);
  expect(await page.locator(".refusal").count()).toBe(0);
  // Twice the size on a wide screen, and the narrowest of windows: no sideways scrolling.
  for (const viewport of [
    { width: 720, height: 450 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(viewport);
    await expect.poll(() => sideways(page)).toBe(0);
  }
}, 120_000);
