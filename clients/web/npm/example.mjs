// Plays the first legal line at a table with a bot until the game is over: `node example.mjs URL`.
import { Client } from "bluebear-sdk";

const client = new Client(process.argv[2] ?? "ws://127.0.0.1:8765/ws", { wants: ["moves"] });
const { room } = await client.say("/newroom manhattan unlisted");
for (const line of ["/join", "/bot", "/start"]) await client.say(line, { room });
for await (const event of client.events()) {
  if (event.type === "your_moves") await client.say(event.lines[0], { room, at: event.version });
  if (client.room(room).view.room.phase === "over") break;
}
process.stdout.write(`${JSON.stringify(client.room(room).view.room.ending.places)}\n`);
client.close();
