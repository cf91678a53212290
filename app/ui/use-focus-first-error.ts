import { useEffect, type RefObject } from "react";

/** Moves the focus to the first invalid field whenever the server returns new `errors`. */
export function useFocusFirstError(formRef: RefObject<HTMLFormElement>, errors: unknown): void {
  useEffect(() => {
    if (errors) formRef.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [formRef, errors]);
}
