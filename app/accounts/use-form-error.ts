import { useRef, useState } from "react";

import type { FormError } from "#app/http/form.ts";

/**
 * Shows a form's error until the next submit starts. The fields keep what was typed, passwords included. Without scripts
 * passwords are typed again, because the server never sends them back.
 */
export function useFormError(banner: FormError | undefined, isPending: boolean) {
  const formRef = useRef<HTMLFormElement>(null);
  const [cleared, setCleared] = useState<FormError>();

  return {
    formRef,
    /** The error to show now. */
    error: isPending || banner === cleared ? undefined : banner,
    /** Call when another submit starts, even one that does not leave the page. */
    clear: () => setCleared(banner),
  };
}
