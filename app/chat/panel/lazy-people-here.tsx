import { lazy, Suspense, type ComponentType } from "react";

import type { usePresence } from "#app/chat/use-presence.ts";
import type { PeopleHereProps } from "./people-here.tsx";

/** Without it the chat works as well. The Worker, which never shows it, does not contain it. */
const PeopleHere: ComponentType<PeopleHereProps> = import.meta.env.SSR
  ? () => null
  : lazy<ComponentType<PeopleHereProps>>(() =>
      import("./people-here.tsx").then(
        (module) => ({ default: module.PeopleHere }),
        () => ({ default: () => null }),
      ),
    );

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
