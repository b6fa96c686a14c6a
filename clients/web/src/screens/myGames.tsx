// My games, those that wait for my move first; my finished games; my friends and their tables.

import type { VNode } from "preact";
import type { MyRoom } from "../protocol/answers.gen.ts";
import { gameName, serverNow } from "../state/selectors.ts";
import { clockText } from "../strings/index.ts";
import { peopleStrings } from "../strings/people.ts";
import { FriendList } from "./friendList.tsx";
import { useQuery } from "./peopleData.ts";
import { PlayedGames } from "./playedGames.tsx";
import { Cover } from "./start.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

function RoomRow({ state, emit, room }: ViewProps & { readonly room: MyRoom }): VNode {
  const strings = peopleStrings(state.settings.lang);
  const ofPage = stringsOf(state);
  const rivals = room.seats.filter((name) => name !== state.name);
  return (
    <li class={room.turn ? "row mine" : "row"}>
      <Cover game={room.game} />
      <div class="row-what">
        <b>{gameName(state, room.game)}</b>
        <small>
          <bdi>{rivals.join(", ")}</bdi>
          {rivals.length > 0 && " · "}
          {room.id}
          {room.due > 0 && ` · ${ofPage.left(clockText(room.due - serverNow(state), ofPage))}`}
        </small>
      </div>
      <button
        type="button"
        class={room.turn ? "btn act" : "btn"}
        onClick={() => emit({ type: "watch", room: room.id })}
      >
        {room.turn ? strings.play : strings.look}
      </button>
    </li>
  );
}

function Rooms(
  props: ViewProps & { readonly title: string; readonly rooms: readonly MyRoom[] },
): VNode | null {
  const { state, emit, title, rooms } = props;
  if (rooms.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>
          {title} <span class="badge">{rooms.length}</span>
        </h2>
      </header>
      <ul>
        {rooms.map((room) => (
          <RoomRow key={room.id} state={state} emit={emit} room={room} />
        ))}
      </ul>
    </section>
  );
}

const RUNNING: readonly string[] = ["playing", "paused"];

export function MyGames(props: ViewProps): VNode {
  const { state } = props;
  const strings = peopleStrings(state.settings.lang);
  const { myRooms, hereRequestedAt } = state.lobby;
  const { data } = useQuery<"stats">(props, "/stats", hereRequestedAt);
  const toMove = myRooms.filter((room) => room.turn);
  const waiting = myRooms.filter((room) => !room.turn && RUNNING.includes(room.phase));
  const open = myRooms.filter((room) => room.phase === "open");
  const none = toMove.length + waiting.length + open.length === 0;
  return (
    <>
      <h1>{strings.myGames}</h1>
      <div class="columns">
        <div>
          <Rooms {...props} title={stringsOf(state).yourTurn} rooms={toMove} />
          <Rooms {...props} title={strings.theirTurn} rooms={waiting} />
          <Rooms {...props} title={strings.notBegun} rooms={open} />
          {none && <p class="quiet">{strings.nothingRunning}</p>}
          <PlayedGames {...props} name={state.name} played={data?.played} />
        </div>
        <div>
          <FriendList {...props} />
        </div>
      </div>
    </>
  );
}
