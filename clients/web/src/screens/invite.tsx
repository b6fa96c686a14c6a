// Where an invite link or a room's address leads, before one is in: the game, and who sits there.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { SeatMark } from "../board/index.ts";
import { gameName } from "../state/selectors.ts";
import type { RoomLinkInfo } from "../state/state.ts";
import { Panels } from "./dialogs.tsx";
import { GamePicture } from "./logo.tsx";
import { Masthead, NameField, Progress } from "./start.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

function About({
  state,
  about,
}: Pick<ViewProps, "state"> & { readonly about: RoomLinkInfo }): VNode {
  const words = stringsOf(state);
  const phase = words.phase[about.phase as keyof typeof words.phase] ?? about.phase;
  return (
    <>
      <div class="invite-game">
        <GamePicture game={about.game} />
        <h2>{gameName(state, about.game)}</h2>
      </div>
      <p>
        {phase} · {words.room(about.id)}
      </p>
      <ul class="sitting">
        {about.seats.map((name, at) => (
          <li key={name}>
            <SeatMark seat={at + 1} size={20} many={about.seats.length > 6} />
            <bdi>{name}</bdi>
          </li>
        ))}
        {about.free > 0 && <li class="free">{words.free(about.free)}</li>}
      </ul>
    </>
  );
}

export function Invite(props: ViewProps): VNode {
  const { state, emit } = props;
  const words = stringsOf(state);
  const [password, setPassword] = useState("");
  const { address: place, about } = state;
  const room = place.at === "invite" ? place.token : place.at === "room" ? place.id : "";
  const known = about !== undefined && about !== "unknown" ? about : undefined;
  const gone = place.at === "invite" && about === "unknown";
  const named = state.session.welcomed || state.name.trim() !== "";
  const locked = known?.locked ?? (place.at === "room" && about === "unknown");
  const may = named && state.script === undefined && !gone;
  const go = (type: "sit_down" | "watch"): void => {
    emit({ type, room, password });
    setPassword("");
  };
  return (
    <div class="wrap narrow">
      <Masthead {...props} />
      <main>
        <form
          class="invite card"
          onSubmit={(event) => {
            event.preventDefault();
            if (may) go("sit_down");
          }}
        >
          <p class="eyebrow">{place.at === "invite" ? words.invited : words.room(room)}</p>
          {known !== undefined && <About state={state} about={known} />}
          {about === "unknown" && <p>{gone ? words.expiredInvite : words.unknownRoom}</p>}
          <NameField {...props} />
          {locked && (
            <div class="name-field">
              <label for="password">{words.password}</label>
              <input
                id="password"
                type="password"
                autocomplete="off"
                value={password}
                onInput={(event) => setPassword(event.currentTarget.value)}
              />
            </div>
          )}
          <div class="doors">
            <button type="submit" class="btn act big" disabled={!may}>
              {words.sitDown}
            </button>
            <button type="button" class="btn big" disabled={!may} onClick={() => go("watch")}>
              {words.onlyWatch}
            </button>
          </div>
          <Progress {...props} />
          <p class="quiet">
            {words.typesLines} <span class="mono">/room {room.slice(0, 6)}… · /join</span>
          </p>
        </form>
        <p class="quiet">
          <a
            href="/"
            onClick={(event) => {
              event.preventDefault();
              emit({ type: "went", address: { at: "start" } });
            }}
          >
            {words.start}
          </a>
        </p>
        <Panels {...props} desk="lobby" />
      </main>
    </div>
  );
}
