import { lazy, Suspense, type ComponentType } from "react";

import type { usePresence } from "#app/chat/use-presence.ts";
import { retry } from "#app/http/retry.ts";
import type { PeopleHereProps } from "./people-here.tsx";

/** The chat also works without it. The Worker does not contain its code, because the server never renders it. */
const PeopleHere: ComponentType<PeopleHereProps> = import.meta.env.SSR
  ? () => null
  : lazy<ComponentType<PeopleHereProps>>(load);

/** Tries again while the browser is offline or the server does not answer. */
function load(): Promise<{ default: ComponentType<PeopleHereProps> }> {
  return retry(async () => ({ default: (await import("./people-here.tsx")).PeopleHere }));
}

export interface LazyPeopleHereProps extends Pick<
  PeopleHereProps,
  "uid" | "isOpen" | "onOpenChange" | "buttonRef"
> {
  presence: Pick<ReturnType<typeof usePresence>, "here" | "isUnseen" | "setUnseen">;
}

/** Shows who is here, once the database has answered. */
export function LazyPeopleHere({ presence, ...props }: LazyPeopleHereProps) {
  const { here, isUnseen, setUnseen } = presence;
  const isShown = isUnseen !== null && (here || isUnseen || props.isOpen);
  if (!isShown) return null;
  return (
    <Suspense>
      <PeopleHere {...props} here={here} isUnseen={isUnseen} onUnseenChange={setUnseen} />
    </Suspense>
  );
}
