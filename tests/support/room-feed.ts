import type { Message, RoomData } from "#app/chat/message.ts";
import { loader } from "#app/routes/home.tsx";
import type { TestApp } from "./routes.ts";

/** Returns the messages that visitors see, oldest first. */
export async function readMessages(app: TestApp): Promise<Message[]> {
  const { data } = await app.send(loader, "/home");
  // `send` returns untyped data.
  const { feed } = (data as { room: RoomData }).room;
  if (feed.status !== "loaded") throw new Error("The feed is unavailable");
  return feed.messages;
}
