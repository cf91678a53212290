import { parse, serialize } from "cookie";

const NAME = "notice";
const QUEST = "quest";
const MAX_AGE_SECONDS = 60;
const OPTIONS = { httpOnly: true, path: "/", sameSite: "lax" } as const;

/** Returns the `Set-Cookie` value by which the next dashboard says that a quest is not open. */
export function keepQuestNotice(): string {
  return serialize(NAME, QUEST, { ...OPTIONS, maxAge: MAX_AGE_SECONDS });
}

/** Returns whether somebody was just following a quest. */
export function hasQuestNotice(request: Request): boolean {
  return parse(request.headers.get("Cookie") ?? "")[NAME] === QUEST;
}

/** Returns the `Set-Cookie` value that keeps it from being said twice. */
export function removeQuestNotice(): string {
  return serialize(NAME, "", { ...OPTIONS, maxAge: 0 });
}
