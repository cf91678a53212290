import { useEffect } from "react";

let departure: Promise<unknown> | undefined;

/** Notes that somebody leaves the room, which takes a moment. */
export function noteDeparture(leaving: Promise<unknown>): void {
  departure = leaving;
}

/**
 * Signs the browser out of Firebase once nobody is signed in, if anybody ever was: after the goodbye is
 * written, which takes a signed-in person. For the root, since people sign out on pages without a room.
 */
export function useCompanyEnd(uid: string | undefined): void {
  useEffect(() => {
    if (uid === undefined && departure) void end(departure);
  }, [uid]);
}

/** Signs the browser out of Firebase while the session goes on, where its sign-in has ended or is to. */
export async function endBrowserSignIn(): Promise<void> {
  if (departure) await end(departure);
}

async function end(leaving: Promise<unknown>): Promise<void> {
  departure = undefined;
  await leaving;
  const { endCompany } = await import("./room-presence.client.ts");
  await endCompany();
}
