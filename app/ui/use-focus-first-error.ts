import { useEffect, type RefObject } from "react";

/** Moves the focus to a form's first faulty field whenever `errors`, an answer of the server, tells of new faults. */
export function useFocusFirstError(formRef: RefObject<HTMLFormElement>, errors: unknown): void {
  useEffect(() => {
    if (errors) formRef.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [formRef, errors]);
}
