// The landing page of an invite link or a room's address: the game, and who sits there.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { RoomLink } from "../protocol/answers.gen.ts";
import { gameName } from "../state/selectors.ts";
import { Dialogs } from "./dialogs.tsx";
import { GamePicture } from "./logo.tsx";
import { PageLink } from "./pageLink.tsx";
import { Masthead, NameField, Progress } from "./start.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

function About({ state, about }: Pick<ViewProps, "state"> & { readonly about: RoomLink }): VNode {
  const strings = stringsOf(state);
  const phase = strings.phase[about.phase as keyof typeof strings.phase] ?? about.phase;
  return (
    <>
      <div class="invite-game">
        <GamePicture game={about.game} />
        <h2>{gameName(state, about.game)}</h2>
      </div>
      <p>
        {phase} · {strings.room(about.id)}
      </p>
      <ul class="sitting">
        {/* Any seat may be free, so they have no marks. */}
        {about.seats.map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {about.free > 0 && <li class="free">{strings.free(about.free)}</li>}
      </ul>
    </>
  );
}

const LABELS = {
  en: {
    invited: "You are invited",
    unknown: "No public room has this number. One that is not public is shown once you are in.",
    expired: "This link has expired, or it is not valid.",
    onlyWatch: "Only watch",
  },
  ja: {
    invited: "招待されています",
    unknown: "この番号の公開の部屋はありません。非公開の部屋は、入ると表示されます。",
    expired: "このリンクは期限が切れたか、正しくありません。",
    onlyWatch: "見るだけ",
  },
} as const;

export function Invite(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  const labels = LABELS[state.settings.lang];
  const [password, setPassword] = useState("");
  const { address, about } = state;
  const room = address.at === "invite" ? address.token : address.at === "room" ? address.id : "";
  const linkInfo = about !== undefined && about !== "unknown" ? about : undefined;
  const isExpired = address.at === "invite" && about === "unknown";
  const named = state.session.welcomed || state.name.trim() !== "";
  const locked = linkInfo?.locked ?? (address.at === "room" && about === "unknown");
  const may = named && state.script === undefined && !isExpired;
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
          <p class="eyebrow">{address.at === "invite" ? labels.invited : strings.room(room)}</p>
          {linkInfo !== undefined && <About state={state} about={linkInfo} />}
          {about === "unknown" && <p>{isExpired ? labels.expired : labels.unknown}</p>}
          <NameField {...props} />
          {locked && (
            <div class="name-field">
              <label for="password">{strings.password}</label>
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
              {strings.sitDown}
            </button>
            <button type="button" class="btn big" disabled={!may} onClick={() => go("watch")}>
              {labels.onlyWatch}
            </button>
          </div>
          <Progress {...props} />
        </form>
        <p class="quiet">
          <PageLink emit={emit} to={{ at: "start" }}>
            {strings.start}
          </PageLink>
        </p>
        <Dialogs {...props} inputKey="lobby" />
      </main>
    </div>
  );
}
