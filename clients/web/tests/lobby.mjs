// Measures how smooth the list of rooms is while a hundred rooms exist and change.

const ROOMS = 100;
const ROOMS_EACH = 3;
const SECONDS = 6;
const CHANGES_PER_SECOND = 20;
/** A frame at 60 a second takes 16.7 ms; a missed one shows as two of them. */
const DROPPED_MS = 25;

/** A host who creates rooms and changes them. */
function host(url, name) {
  const socket = new WebSocket(`${url.replace("http://", "ws://")}/ws`, "bluebear.v1.json");
  const waiting = new Map();
  let count = 0;
  const send = (message) => socket.send(JSON.stringify(message));
  const say = (text, room) =>
    new Promise((done, failed) => {
      count += 1;
      const id = `${name}.${count}`;
      waiting.set(id, (answer) => {
        waiting.delete(id);
        if (answer.type === "error") failed(new Error(`${text}: ${answer.text}`));
        else done(answer);
      });
      send({ type: "say", id, text, ...(room === undefined ? {} : { room }) });
    });
  const ready = new Promise((done, failed) => {
    socket.onclose = ({ code, reason }) => failed(new Error(`closed: ${code} ${reason}`));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") done(undefined);
      const id = message.type === "update" ? message.done : message.id;
      waiting.get(id)?.(message);
    };
  });
  socket.onopen = () => send({ type: "hello", name, langs: ["en"], wants: [], agent: "measure 1" });
  return { ready, say, close: () => socket.close() };
}

/** Prints the lengths of the frames. */
export async function measureLobby(browser, url, out) {
  const hosts = [];
  const rooms = [];
  while (rooms.length < ROOMS) {
    const one = host(url, `Host${hosts.length}`);
    hosts.push(one);
    await one.ready;
    for (let n = 0; n < ROOMS_EACH && rooms.length < ROOMS; n += 1) {
      const game = ["manhattan", "tokai", "itc", "railroad_ink"][rooms.length % 4];
      const { room } = await one.say(`/newroom ${game}`);
      rooms.push({ host: one, room, sits: false });
    }
  }
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.fill("#name", "Watcher");
  await page.locator(".lobby-door").click();
  await page.waitForSelector(".rooms .row");
  const shown = await page.locator(".rooms .row").count();
  let changes = 0;
  let busy = true;
  const churn = (async () => {
    for (let at = 0; busy; at = (at + 7) % rooms.length) {
      const one = rooms[at];
      await one.host.say(one.sits ? "/leave" : "/join", one.room);
      one.sits = !one.sits;
      changes += 1;
      await new Promise((wait) => setTimeout(wait, 1000 / CHANGES_PER_SECOND));
    }
  })();
  const frames = page.evaluate(
    (ms) =>
      new Promise((done) => {
        const found = [];
        const start = performance.now();
        let last = start;
        const step = (now) => {
          found.push(now - last);
          last = now;
          if (now - start < ms) requestAnimationFrame(step);
          else done(found);
        };
        requestAnimationFrame(step);
      }),
    SECONDS * 1000,
  );
  await page.mouse.move(720, 600);
  for (let at = 0; at < SECONDS * 8; at += 1) {
    await page.mouse.wheel(0, at % 16 < 8 ? 120 : -120);
    await page.waitForTimeout(100);
  }
  const lengths = (await frames).toSorted((a, b) => a - b);
  busy = false;
  await churn;
  const dropped = lengths.filter((ms) => ms > DROPPED_MS).length;
  const median = lengths[Math.floor(lengths.length / 2)];
  out(
    `lobby: ${rooms.length} rooms, ${shown} on the page, ${changes} changes in ${SECONDS} s while scrolling; ${lengths.length} frames, median ${median.toFixed(1)} ms, worst ${lengths.at(-1).toFixed(1)} ms, ${dropped} dropped`,
  );
  await page.close();
  for (const one of hosts) one.close();
}
