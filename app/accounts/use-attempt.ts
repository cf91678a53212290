import { useRef, useState } from "react";

import type { FormError } from "#app/accounts/form-error.ts";

/**
 * Follows one attempt after another: a refusal is shown until the next attempt starts. What was typed stays, passwords
 * included: they are in this page only. Without scripts they are typed again, for the server never sends them back.
 */
export function useAttempt(banner: FormError | undefined, isPending: boolean) {
  const formRef = useRef<HTMLFormElement>(null);
  const [past, setPast] = useState<FormError>();

  return {
    formRef,
    /** The refusal to show now. */
    shown: isPending || banner === past ? undefined : banner,
    /** Call when a new attempt starts, even one that will not leave the page. */
    start: () => setPast(banner),
  };
}
