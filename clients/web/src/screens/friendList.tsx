// My friends: who is here, and the tables at which one may sit down or watch.

import type { VNode } from "preact";
import type { ListedPerson } from "../protocol/answers.gen.ts";
import { inputOf } from "../state/lineInput.ts";
import { gameName } from "../state/selectors.ts";
import { LOBBY } from "../state/state.ts";
import { peopleStrings } from "../strings/people.ts";
import { useQuery } from "./peopleData.ts";
import { Person } from "./playedGames.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/**
 * A list that I keep of people, those who are here first; asked for again after each note, which
 * tells who comes and goes.
 */
export function useListed(
  props: ViewProps,
  list: "friends" | "mute" | "block",
): readonly ListedPerson[] {
  const { lines } = inputOf(props.state, LOBBY);
  const { hereRequestedAt } = props.state.lobby;
  const { data } = useQuery<typeof list>(props, `/${list} list`, lines, hereRequestedAt);
  return data?.people.toSorted((a, b) => Number(b.online) - Number(a.online)) ?? [];
}

function FriendRow(props: ViewProps & { readonly friend: ListedPerson }): VNode {
  const { state, emit, friend } = props;
  const strings = peopleStrings(state.settings.lang);
  const [room] = friend.rooms;
  const free = room?.phase === "open" && room.free > 0;
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
