import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import type { validateSignUp } from "./validate-sign-up.ts";

type Validate = typeof validateSignUp;

/**
 * Loads the validator when the user enters the form, because most visitors never fill it in. A submit before that waits
 * for the validator. If it cannot be loaded, only the server validates.
 */
export function useValidation(formRef: RefObject<HTMLFormElement>) {
  const [validate, setValidate] = useState<Validate | "unavailable">();
  const isRequested = useRef(false);
  const isSubmitDeferred = useRef(false);

  const load = useCallback(() => {
    if (isRequested.current) return;
    isRequested.current = true;
    import("./validate-sign-up.ts").then(
      (module) => setValidate(() => module.validateSignUp),
      () => setValidate("unavailable"),
    );
  }, []);

  useEffect(() => {
    // The user may have been typing before scripts ran.
    if (formRef.current?.contains(document.activeElement)) load();
  }, [formRef, load]);

  useEffect(() => {
    if (!validate || !isSubmitDeferred.current) return;
    isSubmitDeferred.current = false;
    formRef.current?.requestSubmit();
  }, [validate, formRef]);

  return {
    validate: validate === "unavailable" ? undefined : validate,
    load,
    /** Returns whether a submit has to wait for the validator. If so, it is repeated automatically. */
    deferSubmit(): boolean {
      if (validate) return false;
      isSubmitDeferred.current = true;
      load();
      return true;
    },
  };
}
