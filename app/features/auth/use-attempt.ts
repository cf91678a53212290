import { useEffect, useRef, useState } from "react";

import type { Refusal } from "./auth-card.tsx";

/**
 * Follows one attempt after another: the last refusal is shown until the next attempt starts, and after
 * each refusal the passwords of the form are emptied, as they are without scripts.
 */
export function useAttempt({
  banner,
  isPending,
}: {
  banner: Refusal | undefined;
  isPending: boolean;
}) {
  const formRef = useRef<HTMLFormElement>(null);
  const wasPending = useRef(isPending);
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    if (wasPending.current && !isPending) {
      setIsOver(false);
      if (banner) emptyPasswords(formRef.current);
    }
    wasPending.current = isPending;
  }, [banner, isPending]);

  return {
    formRef,
    /** The refusal to show now. */
    shown: isOver || isPending ? undefined : banner,
    /** Call when a new attempt starts, even one that will not leave the page. */
    start: () => setIsOver(true),
  };
}

function emptyPasswords(form: HTMLFormElement | null) {
  for (const input of form?.querySelectorAll<HTMLInputElement>('[autocomplete$="password"]') ??
    []) {
    input.value = "";
  }
}
