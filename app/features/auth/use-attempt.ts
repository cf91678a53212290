import { useEffect, useRef, useState } from "react";

import type { Refusal } from "./auth-card.tsx";

/**
 * Follows one attempt after another: a refusal is shown until the next attempt starts, and with each
 * new one the passwords of the form are emptied, as they are without scripts. Where nobody heard of the
 * attempt they stay: they have gone nowhere.
 */
export function useAttempt(banner: Refusal | undefined, isPending: boolean) {
  const formRef = useRef<HTMLFormElement>(null);
  const [past, setPast] = useState<Refusal>();

  useEffect(() => {
    if (banner && !banner.isUnheard) emptyPasswords(formRef.current);
  }, [banner]);

  return {
    formRef,
    /** The refusal to show now. */
    shown: isPending || banner === past ? undefined : banner,
    /** Call when a new attempt starts, even one that will not leave the page. */
    start: () => setPast(banner),
  };
}

/** Empties the password fields of a form, shown or not. */
export function emptyPasswords(form: HTMLFormElement | null) {
  for (const input of form?.querySelectorAll<HTMLInputElement>('[autocomplete$="password"]') ??
    []) {
    input.value = "";
  }
}
