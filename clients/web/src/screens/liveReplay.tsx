// The replay of a running game, with what my seat knew then. The board is the same function of
// another view; no moves are possible in it.

import type { VNode } from "preact";
import type { RoomView } from "../sdk/mirror.ts";
import { Scrubber } from "./scrubber.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export function LiveReplay(props: ViewProps & { readonly room: RoomView }): VNode | null {
  const { state, emit, room } = props;
  const strings = stringsOf(state);
  const replay = state.replays[room.id];
  if (replay === undefined) return null;
  const newest = replay.moments[replay.steps];
  const more = newest !== undefined && newest.version < room.version;
  return (
    <Scrubber state={state} emit={emit} of={room.id} replay={replay} more={more}>
      <button
        type="button"
        class="btn act"
        onClick={() => emit({ type: "replay_toggled", inputKey: room.id, on: false })}
      >
        {strings.now}
      </button>
    </Scrubber>
  );
}
