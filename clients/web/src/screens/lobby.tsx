// The lobby: create a room, find a room, chat with everyone online.

import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { optionValue } from "../line/valueNames.ts";
import { inputOf } from "../state/lineInput.ts";
import { gameName, listSize, type Row, rowsOf } from "../state/selectors.ts";
import { LOBBY, type State } from "../state/state.ts";
import { stringFor } from "../strings/index.ts";
import { Guarded } from "./boundary.tsx";
import { Dialogs } from "./dialogs.tsx";
import { LineForm } from "./line.tsx";
import { Log } from "./log.tsx";
import { GamePicture } from "./logo.tsx";
import { OnlineList } from "./onlineList.tsx";
import { PageLink } from "./pageLink.tsx";
import { MyRooms, Progress } from "./start.tsx";
import { LinkBar, TopBar } from "./topBar.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

function NewRoom({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  const { making } = state.lobby;
  const game = making.game || state.choice;
  return (
    <section class="card new-room" aria-labelledby="new-room">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          emit({ type: "make_room" });
        }}
      >
        <h2 id="new-room">{strings.newRoom}</h2>
        <fieldset class="games small">
          <legend class="vh">{strings.game}</legend>
          {state.games.map((each) => (
            <label key={each.key} class="game-card">
              <input
                type="radio"
                name="new-game"
                checked={each.key === game}
                onChange={() => emit({ type: "room_form_changed", making: { game: each.key } })}
              />
              <GamePicture game={each.key} />
              <b>{each.name[state.settings.lang]}</b>
              <small>
                {strings.players(each.seats.min, each.seats.max)} · {strings.minutes(each.minutes)}
              </small>
            </label>
          ))}
        </fieldset>
        <div class="doors">
          <label class="privacy">
            <span>{strings.privacy}</span>
            <select
              value={making.privacy}
              onChange={(event) =>
                emit({ type: "room_form_changed", making: { privacy: event.currentTarget.value } })
              }
            >
              {(["public", "unlisted", "private"] as const).map((each) => (
                <option key={each} value={each}>
                  {strings[each]}
                </option>
              ))}
            </select>
          </label>
          <input
            type="password"
            autocomplete="off"
            placeholder={strings.password}
            aria-label={strings.password}
            value={making.password}
            onInput={(event) =>
              emit({ type: "room_form_changed", making: { password: event.currentTarget.value } })
            }
          />
          <button type="submit" class="btn act" disabled={state.script !== undefined}>
            {strings.makeRoom}
          </button>
        </div>
        <Progress state={state} emit={emit} />
      </form>
    </section>
  );
}

function Filters({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  const { filter, game } = state.lobby;
  const kinds = [
    ["all", strings.all],
    ["free", strings.withFree],
    ["running", strings.running],
  ] as const;
  return (
    <div class="filters" role="group" aria-label={strings.rooms}>
      {kinds.map(([key, label]) => (
        <button
          key={key}
          type="button"
          class="chip"
          aria-pressed={filter === key}
          onClick={() => emit({ type: "filtered", filter: key })}
        >
          {label}
        </button>
      ))}
      {state.games.map((each) => (
        <button
          key={each.key}
          type="button"
          class="chip"
          aria-pressed={game === each.key}
          onClick={() => emit({ type: "filtered", game: game === each.key ? undefined : each.key })}
        >
          {each.name[state.settings.lang]}
        </button>
      ))}
    </div>
  );
}

/** A password is in this field only, and goes with the line. */
function Unlock({ state, emit, row }: ViewProps & { readonly row: Row }): VNode {
  const strings = stringsOf(state);
  const [password, setPassword] = useState("");
  return (
    <form
      class="unlock"
      onSubmit={(event) => {
        event.preventDefault();
        emit({ type: row.free > 0 ? "sit_down" : "watch", room: row.id, password });
        setPassword("");
      }}
    >
      <input
        type="password"
        autocomplete="off"
        aria-label={strings.password}
        placeholder={strings.password}
        value={password}
        onInput={(event) => setPassword(event.currentTarget.value)}
      />
      <button type="submit" class="btn act">
        {strings.enter}
      </button>
    </form>
  );
}

function RoomRow({ state, emit, row }: ViewProps & { readonly row: Row }): VNode {
  const strings = stringsOf(state);
  const sits = row.seats.includes(state.name);
  const open = row.free > 0 && !sits;
  const go = row.locked && !sits ? "unlocking" : open ? "sit_down" : "watch";
  return (
    <li class="row">
      <GamePicture game={row.game} />
      <div class="row-what">
        <b>{gameName(state, row.game)}</b>
        <small>
          {stringFor(strings.phase, row.phase) ?? row.phase} · {row.id}
          {row.locked && ` · ${strings.locked}`}
        </small>
        <small>{detailsOf(state, row).join(" · ")}</small>
      </div>
      <p class="row-who">
        {row.seats.map((name) => (
          <bdi key={name}>
            {name.startsWith("@") && <Icon name="bot" size={14} />}
            {name}
          </bdi>
        ))}
        {row.free > 0 && <span class="free">{strings.free(row.free)}</span>}
      </p>
      {state.lobby.unlocking === row.id ? (
        <Unlock state={state} emit={emit} row={row} />
      ) : (
        <button
          type="button"
          class={open ? "btn act" : "btn"}
          onClick={() => emit({ type: go, room: row.id })}
        >
          {row.locked && <Icon name="lock" size={16} />}
          {sits ? strings.goOn : open ? strings.sitDown : strings.watch}
        </button>
      )}
    </li>
  );
}

/** The settings that differ from the defaults: clock, options, spectators, age of the room. */
function detailsOf(state: State, row: Row): readonly string[] {
  const { lang } = state.settings;
  const strings = stringsOf(state);
  const forms = state.games.find((game) => game.key === row.game)?.options ?? [];
  const set = Object.entries({ ...(row.clock && { clock: row.clock }), ...row.options });
  const optionTexts = set.map(([name, value]) => {
    const form = forms.find((each) => each.name === name);
    if (form === undefined) return `${name} ${value}`;
    const valueText = optionValue(form, value, lang);
    return value === "on" ? form.label[lang] : `${form.label[lang]} ${valueText}`;
  });
  if (row.watchers > 0) optionTexts.push(strings.watching(row.watchers));
  const minutes = row.made > 0 ? Math.floor((state.now - row.made) / 60_000) : 0;
  if (minutes > 0) optionTexts.push(strings.madeAgo(minutes));
  return optionTexts;
}

/** The list does not move while the pointer is on it: rows change in place, new ones wait. */
function useStill(rows: readonly Row[], still: boolean): readonly Row[] {
  const shown = useRef(rows);
  const now = (row: Row): Row => rows.find(({ id }) => id === row.id) ?? row;
  shown.current = still ? shown.current.map(now) : rows;
  return shown.current;
}

function Rooms({ state, emit }: ViewProps): VNode {
  const strings = stringsOf(state);
  const [still, setStill] = useState(false);
  const { total, pages } = listSize(state);
  const rows = useStill(rowsOf(state), still);
  const { filter, game, page } = state.lobby;
  return (
    <section class="rooms" aria-labelledby="rooms">
      <h2 id="rooms">
        {strings.rooms} <small>{strings.roomCount(total)}</small>
      </h2>
      <Filters state={state} emit={emit} />
      {total === 0 && <p class="quiet">{strings.noRooms}</p>}
      <ul
        key={`${filter} ${game ?? ""} ${page}`}
        onPointerEnter={() => setStill(true)}
        onPointerLeave={() => setStill(false)}
      >
        {rows.map((row) => (
          <RoomRow key={row.id} state={state} emit={emit} row={row} />
        ))}
      </ul>
      {(pages > 1 || page > 0) && (
        <nav class="pages" aria-label={strings.rooms}>
          <button
            type="button"
            class="btn"
            disabled={page === 0}
            onClick={() => emit({ type: "paged", page: page - 1 })}
          >
            {strings.previous}
          </button>
          <span>{strings.pageOf(page + 1, pages)}</span>
          <button
            type="button"
            class="btn"
            disabled={page >= pages - 1}
            onClick={() => emit({ type: "paged", page: page + 1 })}
          >
            {strings.next}
          </button>
        </nav>
      )}
    </section>
  );
}

/** The wish for a game: leave the queue; agree to the game that is offered. */
function Queue({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { log } = inputOf(state, LOBBY);
  const last = log.findLast((line) => line.code?.startsWith("wish_"));
  const isOffered = last?.code === "wish_found";
  if (!isOffered && last?.code !== "wish_made" && last?.code !== "wish_waits") return null;
  const line = (text: string) => () => emit({ type: "line_chosen", inputKey: LOBBY, text });
  return (
    <section class="card queue" role="status">
      <p>{isOffered ? last.text : strings.waitingForGame}</p>
      <div class="doors">
        {isOffered && (
          <button type="button" class="btn act" onClick={line("/yes")}>
            {strings.accept}
          </button>
        )}
        <button type="button" class="btn" onClick={line(isOffered ? "/no" : "/unwish")}>
          {isOffered ? strings.refuse : strings.leaveQueue}
        </button>
      </div>
    </section>
  );
}

export function Lobby(props: ViewProps): VNode {
  const { state, emit } = props;
  const strings = stringsOf(state);
  return (
    <div class="lobby">
      <TopBar {...props} title={strings.lobby}>
        <PageLink emit={emit} to={{ at: "me" }} class="btn flat">
          {strings.yourGames}
        </PageLink>
        <PageLink emit={emit} to={{ at: "top", game: "" }} class="btn flat top-door">
          {strings.ratings}
        </PageLink>
      </TopBar>
      <LinkBar {...props} />
      <main id="board" tabIndex={-1}>
        <Queue {...props} />
        <Guarded {...props} name="own rooms" of={state.lobby.myRooms}>
          <MyRooms {...props} />
        </Guarded>
        <NewRoom {...props} />
        <Guarded {...props} name="rooms" of={state.session.mirror.lobby}>
          <Rooms {...props} />
        </Guarded>
      </main>
      <aside aria-label={strings.hereNow}>
        <Guarded {...props} name="people" of={state.lobby.online}>
          <OnlineList {...props} />
        </Guarded>
        <h2>{strings.notes}</h2>
        {state.inputs[LOBBY]?.log.length === 0 && <p class="quiet">{strings.noNotes}</p>}
        <Guarded {...props} name="log" of={state.inputs[LOBBY]?.log}>
          <Log {...props} inputKey={LOBBY} />
        </Guarded>
      </aside>
      <footer class="dock">
        <Guarded {...props} name="line" of={state.inputs[LOBBY]}>
          <LineForm {...props} inputKey={LOBBY} position={undefined} />
        </Guarded>
      </footer>
      <Dialogs state={state} emit={emit} inputKey={LOBBY} />
    </div>
  );
}
