import { test } from "vitest";
import { House } from "./house.ts";
test("look", async () => {
  const house = new House();
  await house.start();
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  await page.goto(house.url);
  await page.waitForSelector(".game-card");
  await page.screenshot({ path: "/tmp/shots/start.png" });
  await page.fill("#name", "Ayu");
  await page.click("button[type=submit]");
  await page.waitForTimeout(3000);
  await page.screenshot({ path: "/tmp/shots/room.png" });
  console.log(page.url(), house.errors);
  await house.close();
}, 60000);
