// The wiring: events of the browser and the server into `step`, its effects out, one drawing per
// frame.

import { render } from "preact";
import { App } from "./screens/app.tsx";
import { Announcer } from "./shell/announcer.ts";
import { downloadFile } from "./shell/download.ts";
import { listenForKeys } from "./shell/hotkeys.ts";
import { startLivenessTimer } from "./shell/livenessTimer.ts";
import { fetchGameLink, fetchGames, fetchRoom } from "./shell/publicInfo.ts";
import type { Socket } from "./shell/socket.ts";
import { newestToken, readStored, store, storeAll } from "./shell/storage.ts";
import { applyTheme, showTitleBadge } from "./shell/titleBadge.ts";
import { addressOf, pathOf } from "./state/address.ts";
import type { Effect, Event, PublicInfo } from "./state/events.ts";
import { guardedStep } from "./state/faults.ts";
import { dueAction } from "./state/liveness.ts";
import { hasCountdown } from "./state/selectors.ts";
import { initialState, type State } from "./state/state.ts";
import { hasStrings, loadStrings, stringsIn } from "./strings/index.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/kit.css";
import "./style/lobby.css";
import "./style/page.css";
import "./style/start.css";
import "./style/conversation.css";

/** Random bytes as hex. */
function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Twelve random bytes in the letters that line ids are made of. */
function idPrefix(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

const root = document.createElement("div");
root.id = "page";
const region = document.createElement("div");
region.className = "vh";
region.setAttribute("aria-live", "polite");
document.body.append(root, region);

const announcer = new Announcer(region);
const finger = matchMedia("(pointer: coarse)");
let state: State = initialState(
  readStored(),
  addressOf(location.pathname, location.search),
  idPrefix(),
  Date.now(),
);
let drawRequested = false;
/** Without a language there is nothing to draw. */
let started = false;
let badgeTimer: ReturnType<typeof setTimeout> | undefined;

const onClosed = (code: number) => emit({ type: "closed", code, jitter: Math.random() });

/** Loaded beside the first page, which is drawn before there is a connection. */
const socket = import("./shell/socket.ts").then(
  ({ Socket }) =>
    new Socket({
      opened: () => emit({ type: "connected", token: newestToken() }),
      frame: (message) => {
        emit({ type: "frame", message });
        drawSoon();
      },
      closed: onClosed,
      freshId: idPrefix,
    }),
);

/** Once the socket is loaded; a page that cannot load it tries again, as without a connection. */
function withSocket(act: (socket: Socket) => void): void {
  socket.then(act, () => onClosed(0));
}

function emit(event: Event): void {
  const lang = event.type === "set" ? event.settings.lang : undefined;
  if (lang !== undefined && !hasStrings(lang)) {
    // The page stays in its language until the other one is there.
    loadStrings(lang).then(() => emit(event), reportError);
    return;
  }
  const context = { now: Date.now(), fresh: randomHex(16), touch: finger.matches };
  const [next, effects] = guardedStep(state, event, context);
  state = next;
  for (const effect of effects) {
    try {
      carryOut(effect);
    } catch (error) {
      // An effect that the browser refuses (a notification, say) must not stop the others.
      reportError(error);
    }
  }
  draw();
}

function draw(): void {
  if (drawRequested) return;
  drawRequested = true;
  // Hidden tabs get no frames: they step, play sounds and update the title, and draw when they are
  // shown.
  requestAnimationFrame(drawFrame);
  if (badgeTimer === undefined) badgeTimer = setTimeout(updateTitleBadge, BADGE_MS);
}

/** The messages about one update come within this time. */
const BURST_MS = 2;
let drawnSoon = false;

/**
 * Draws what has arrived while the browser waits for its next frame; what arrives later in the same
 * frame is drawn with it.
 */
function drawSoon(): void {
  if (drawnSoon || document.hidden) return;
  drawnSoon = true;
  setTimeout(drawNow, BURST_MS);
}

function drawFrame(): void {
  drawnSoon = false;
  drawNow();
}

/**
 * A new icon costs the browser more than a board does: set it after the frame, once for several
 * changes.
 */
const BADGE_MS = 60;

function updateTitleBadge(): void {
  badgeTimer = undefined;
  showTitleBadge(state);
}

/** Draw if a drawing was requested. */
function drawNow(): void {
  if (!drawRequested || !started) return;
  drawRequested = false;
  applyTheme(state);
  render(<App state={state} emit={emit} touch={finger.matches} />, root);
}

/** A sound this many ms after the update still seems simultaneous with it. */
const SOUND_MS = 20;

/** After the next drawing, when the element to focus exists. */
function afterNextFrame(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

/** Whether a text field has the focus: the line does not take it from there. */
function isInField(): boolean {
  return document.activeElement?.matches("input:not([type=radio]), textarea") ?? false;
}

/** The handler of each effect; a table, so that the type checker finds a missing one. */
const HANDLERS: { readonly [T in Effect["type"]]: (effect: Extract<Effect, { type: T }>) => void } =
  {
    connect: () => withSocket((each) => each.connect()),
    disconnect: () => withSocket((each) => each.disconnect()),
    send: ({ messages }) => withSocket((each) => each.send(messages)),
    wait: ({ timer, ms }) => {
      setTimeout(() => emit({ type: "timer", timer }), ms);
    },
    store: ({ key, value }) => store(key, value),
    navigate: ({ address, replace }) => {
      if (replace === true) history.replaceState(null, "", pathOf(address));
      else history.pushState(null, "", pathOf(address));
    },
    fetch: ({ what, of }) => fetchInfo(what, of ?? ""),
    sound: ({ sound }) => {
      // Play after the frame is painted, or the update is late.
      if (!state.settings.sound) return;
      const later = () =>
        import("./shell/sound.ts").then(({ play }) => play(sound)).catch(reportError);
      setTimeout(later, SOUND_MS);
    },
    announce: ({ text }) => announcer.say(text),
    notify: () => notify(),
    permit: () => {
      if ("Notification" in window) void Notification.requestPermission();
    },
    copy: ({ text }) => {
      const ended = (done: boolean) => emit({ type: "copy_ended", text, done });
      // Plain http has no clipboard.
      const writing = navigator.clipboard?.writeText(text) ?? Promise.reject();
      writing.then(
        () => ended(true),
        () => ended(false),
      );
    },
    log: ({ text }) => reportError(new Error(text)),
    reload: () => location.reload(),
    save: ({ name, text }) => downloadFile(name, text),
    focus: ({ on }) => {
      // On a phone the focus would open the keyboard over the board.
      if (finger.matches) return;
      afterNextFrame(() => {
        if (on !== "line" || !isInField()) document.getElementById(on)?.focus();
      });
    },
  };

function carryOut<T extends Effect["type"]>(effect: Extract<Effect, { type: T }>): void {
  const act = HANDLERS[effect.type as T] as (effect: Extract<Effect, { type: T }>) => void;
  act(effect);
}

function fetchInfo(what: PublicInfo, of: string): void {
  if (what === "games") {
    fetchGames().then((games) => emit({ type: "games_loaded", games }), retryLater(what, of));
  } else if (what === "game") {
    fetchGameLink(of).then(
      (story) => emit({ type: "game_link_loaded", story }),
      retryLater(what, of),
    );
  } else {
    fetchRoom(what, of).then((about) => emit({ type: "room_loaded", about }), retryLater(what, of));
  }
}

/** The server may be away when the page is opened from the home screen. */
function retryLater(what: PublicInfo, of: string): () => void {
  return () => {
    emit({ type: "server_away" });
    setTimeout(() => fetchInfo(what, of), 3000);
  };
}

function notify(): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const strings = stringsIn(state.settings.lang);
  new Notification("BlueBear", { body: strings.itIsYourTurn, tag: "turn", icon: "/icon.svg" });
}

addEventListener("pagehide", storeAll);
addEventListener("popstate", () =>
  emit({
    type: "navigated",
    address: addressOf(location.pathname, location.search),
    inHistory: true,
  }),
);
document.addEventListener("visibilitychange", () => {
  emit({ type: "shown", visible: document.visibilityState === "visible" });
});
startLivenessTimer(() => {
  if (dueAction(state, Date.now()) !== undefined) emit({ type: "timer", timer: "pulse" });
});
addEventListener("offline", () => emit({ type: "offline" }));
addEventListener("online", () => emit({ type: "timer", timer: "reconnect" }));
finger.addEventListener("change", draw);
setInterval(() => {
  if (hasCountdown(state)) emit({ type: "ticked" });
}, 500);
// A key or a click refers to the current state, even if two events come within one frame.
for (const type of ["keydown", "pointerdown", "click"]) addEventListener(type, drawNow, true);
listenForKeys(() => state, emit);
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
loadStrings(state.settings.lang).then(() => {
  started = true;
  emit({ type: "started" });
  // The server may change to the other language, too.
  for (const lang of ["en", "ja"] as const) loadStrings(lang).catch(reportError);
}, reportError);
