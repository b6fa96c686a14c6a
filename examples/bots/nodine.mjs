// A bot in JavaScript: it builds where it may, and else takes any line.
//
// One JSON object a line comes in, one goes out; what is written to the standard error is logged.
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const text of createInterface({ input: process.stdin })) {
  const message = JSON.parse(text);
  if (message.do === "hello") {
    say({ name: "Nodine", games: ["manhattan"] });
    console.error(`at home in Node ${process.versions.node}`);
  } else if (message.do === "choose") {
    const { id, lines } = message;
    const builds = lines.filter((line) => line.startsWith("/build"));
    const from = builds.length > 0 ? builds : lines;
    say({ id, line: from[Math.floor(Math.random() * from.length)] });
  } else if (message.do === "bye") {
    break;
  }
}
