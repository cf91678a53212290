import { lazy, Suspense, useState, type ComponentType } from "react";

import { retry } from "#app/http/retry.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { MentionListProps } from "./mention-list.tsx";

/** Loaded with the first `@`. The Worker does not contain its code, because the server never renders it. */
const MentionList: ComponentType<MentionListProps> = import.meta.env.SSR
  ? () => null
  : lazy<ComponentType<MentionListProps>>(load);

/** Loads the list's code. Tries again while the browser is offline or the server does not respond. */
function load(): Promise<{ default: ComponentType<MentionListProps> }> {
  return retry(async () => ({ default: (await import("./mention-list.tsx")).MentionList }));
}

export interface MentionSuggestionsProps extends MentionListProps {
  /** What is in the field. */
  text: string;
}

/** Suggests names for the mention that the user types in a field. */
export function MentionSuggestions({ text, ...props }: MentionSuggestionsProps) {
  const isHydrated = useHydrated();
  const [isNeeded, setIsNeeded] = useState(false);
  if (isHydrated && !isNeeded && text.includes("@")) setIsNeeded(true);

  return isNeeded ? (
    <Suspense>
      <MentionList {...props} />
    </Suspense>
  ) : null;
}
