// The style of rooms and replays: one chunk, as later sheets refine earlier ones.

import "../style/room.css";
import "../style/task.css";
import "../style/windows.css";
