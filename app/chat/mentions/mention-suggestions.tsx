import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";

import { retry } from "#app/http/wait.ts";
import type { MentionListProps } from "./mention-list.tsx";
import { isTyping } from "./mentions.ts";

/** Loaded with the first `@`. The Worker does not contain its code, because the server never renders it. */
const MentionList: ComponentType<MentionListProps> = import.meta.env.SSR
  ? () => null
  : lazy<ComponentType<MentionListProps>>(load);

/** Loads the list's code. Tries again while the browser is offline or the server does not respond. */
function load(): Promise<{ default: ComponentType<MentionListProps> }> {
  return retry(async () => ({ default: (await import("./mention-list.tsx")).MentionList }));
}

/** Suggests names for the mention that the user types in a field. */
export function MentionSuggestions(props: MentionListProps) {
  const { field } = props;
  const [isNeeded, setIsNeeded] = useState(false);

  useEffect(() => {
    function handleInput(event: Event) {
      const { current } = field;
      if (event.target !== current || !isTyping(event)) return;
      if (current?.value.includes("@")) setIsNeeded(true);
    }
    // After React has handled the event: a render before that could put the last text back.
    window.addEventListener("input", handleInput);
    return () => window.removeEventListener("input", handleInput);
  }, [field]);

  return isNeeded ? (
    <Suspense>
      <MentionList {...props} />
    </Suspense>
  ) : null;
}
