import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import type { checkSignUp } from "./validate-sign-up.ts";

type Check = typeof checkSignUp;

/**
 * Fetches the rules when someone enters the form, which is before they can be needed, and not with the
 * page, which most people never fill in. Whoever is faster waits: a submit is held until the rules are
 * here. Without them, when they cannot be fetched, the server is the only judge.
 */
export function useRules(formRef: RefObject<HTMLFormElement>) {
  const [check, setCheck] = useState<Check | "absent">();
  const isAsked = useRef(false);
  const isHeld = useRef(false);

  const load = useCallback(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    import("./validate-sign-up.ts").then(
      (rules) => setCheck(() => rules.checkSignUp),
      () => setCheck("absent"),
    );
  }, []);

  useEffect(() => {
    // Someone may have been typing before scripts ran.
    if (formRef.current?.contains(document.activeElement)) load();
  }, [formRef, load]);

  useEffect(() => {
    if (!check || !isHeld.current) return;
    isHeld.current = false;
    formRef.current?.requestSubmit();
  }, [check, formRef]);

  return {
    check: check === "absent" ? undefined : check,
    load,
    /** Whether a submit has to wait. It then happens by itself. */
    hold(): boolean {
      if (check) return false;
      isHeld.current = true;
      load();
      return true;
    },
  };
}
