// My friends: who is here, and the tables at which one may sit down or watch.

import type { VNode } from "preact";
import { inputOf } from "../state/lineInput.ts";
import { gameName } from "../state/selectors.ts";
import { LOBBY } from "../state/state.ts";
import { peopleStrings } from "../strings/people.ts";
import { type Friend, friendsIn, useQuery } from "./peopleData.ts";
import { Person } from "./playedGames.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** A list that I keep of people; asked for again after each note, which tells who comes and goes. */
export function useListed(props: ViewProps, list: "friends" | "mute"): readonly Friend[] {
  const { lines } = inputOf(props.state, LOBBY);
  const { hereRequestedAt } = props.state.lobby;
  return useQuery(props, `/${list} list`, friendsIn, lines, hereRequestedAt).data ?? [];
}

function FriendRow({ state, emit, friend }: ViewProps & { readonly friend: Friend }): VNode {
  const strings = peopleStrings(state.settings.lang);
  const { room } = friend;
  const free = room !== undefined && room.free > 0;
  const here = friend.away === undefined ? strings.online : stringsOf(state).awayWith(friend.away);
  return (
    <li class="row">
      <i class={friend.online ? "dot on" : "dot"} aria-hidden="true" />
      <div class="row-what">
        <b>
          <Person emit={emit} name={friend.name} />
        </b>
        <small>
          {friend.online ? here : strings.offline}
          {room !== undefined && ` · ${gameName(state, room.game)}`}
          {room !== undefined && free && `, ${strings.freeSeats(room.free)}`}
        </small>
      </div>
      {room !== undefined && !room.locked && (
        <button
          type="button"
          class={free ? "btn act" : "btn"}
          onClick={() => emit({ type: free ? "sit_down" : "watch", room: room.id })}
        >
          {free ? stringsOf(state).sitDown : stringsOf(state).watch}
        </button>
      )}
    </li>
  );
}

export function FriendList(props: ViewProps): VNode {
  const strings = peopleStrings(props.state.settings.lang);
  const friends = useListed(props, "friends");
  return (
    <section class="card">
      <header>
        <h2>{strings.tables}</h2>
      </header>
      {friends.length === 0 && <p class="quiet">{strings.noFriends}</p>}
      <ul>
        {friends.map((friend) => (
          <FriendRow key={friend.name} {...props} friend={friend} />
        ))}
      </ul>
    </section>
  );
}
