// The wiring: the world's events into `step`, its effects out into the world, one drawing a frame.

import { render } from "preact";
import { Announcer } from "./shell/announcer.ts";
import { hearKeys } from "./shell/hotkeys.ts";
import { keep, kept } from "./shell/keep.ts";
import { learnGames, learnRoom } from "./shell/learn.ts";
import { showSigns } from "./shell/sign.ts";
import { Socket } from "./shell/socket.ts";
import { play } from "./shell/sound.ts";
import type { Effect, Event } from "./state/events.ts";
import { pathOf, placeOf } from "./state/places.ts";
import { counting } from "./state/select.ts";
import { initial, type State } from "./state/state.ts";
import { step } from "./state/step.ts";
import { App } from "./view/app.tsx";
import { wordsIn } from "./words/index.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/kit.css";
import "./style/page.css";
import "./style/room.css";

/** Random bytes as hex. */
function fresh(bytes: number): string {
  const found = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Twelve random bytes in the letters that line ids are made of. */
function idPrefix(): string {
  const found = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...found)).replaceAll("+", "-").replaceAll("/", "_");
}

const root = document.createElement("div");
root.id = "page";
const region = document.createElement("div");
region.className = "vh";
region.setAttribute("aria-live", "polite");
document.body.append(root, region);

const announcer = new Announcer(region);
const finger = matchMedia("(pointer: coarse)");
let state: State = initial(kept(), placeOf(location.pathname), idPrefix(), Date.now());
let asked = false;

const socket = new Socket({
  opened: () => emit({ type: "connected" }),
  frame: (message) => emit({ type: "frame", message }),
  closed: (code) => emit({ type: "closed", code, jitter: Math.random() }),
});

function emit(event: Event): void {
  const context = { now: Date.now(), fresh: fresh(16), touch: finger.matches };
  const [next, effects] = step(state, event, context);
  state = next;
  for (const effect of effects) carryOut(effect);
  draw();
}

function draw(): void {
  if (asked) return;
  asked = true;
  // Hidden tabs get no frames: they step, sound and retitle, and draw when they are seen.
  showSigns(state);
  requestAnimationFrame(() => {
    asked = false;
    showSigns(state);
    render(<App state={state} emit={emit} touch={finger.matches} />, root);
  });
}

function carryOut(effect: Effect): void {
  switch (effect.type) {
    case "connect":
      return socket.connect();
    case "disconnect":
      return socket.disconnect();
    case "send":
      return socket.send(effect.messages);
    case "wait":
      setTimeout(() => emit({ type: "timer", timer: effect.timer }), effect.ms);
      return;
    case "keep":
      return keep(effect.key, effect.value);
    case "navigate":
      return history.pushState(null, "", pathOf(effect.place));
    case "learn":
      return learn(effect.what, effect.of ?? "");
    case "sound":
      if (state.settings.sound) play(effect.sound);
      return;
    case "announce":
      return announcer.say(effect.text);
    case "notify":
      return notify();
    case "permit":
      if ("Notification" in window) void Notification.requestPermission();
      return;
    case "copy":
      void navigator.clipboard?.writeText(effect.text);
      return announcer.say(wordsIn(state.settings.lang).copied);
    case "focus":
      requestAnimationFrame(() => {
        // On a phone the focus would bring the keyboard up over the board.
        if (!finger.matches) document.getElementById(effect.on)?.focus();
      });
  }
}

function learn(what: "games" | "invite" | "room", of: string): void {
  if (what === "games") {
    learnGames().then((games) => emit({ type: "games_known", games }), again(what, of));
  } else {
    learnRoom(what, of).then((about) => emit({ type: "room_known", about }), again(what, of));
  }
}

/** The server may be away when the page is opened from the home screen. */
function again(what: "games" | "invite" | "room", of: string): () => void {
  return () => {
    setTimeout(() => learn(what, of), 3000);
  };
}

function notify(): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const words = wordsIn(state.settings.lang);
  new Notification("BlueBear", { body: words.itIsYourTurn, tag: "turn", icon: "/icon.svg" });
}

addEventListener("popstate", () => emit({ type: "went", place: placeOf(location.pathname) }));
document.addEventListener("visibilitychange", () => {
  emit({ type: "shown", visible: document.visibilityState === "visible" });
});
addEventListener("online", () => emit({ type: "timer", timer: "reconnect" }));
finger.addEventListener("change", draw);
setInterval(() => {
  if (counting(state)) emit({ type: "ticked" });
}, 500);
hearKeys(() => state, emit);
emit({ type: "begun" });
