import { useNavigate } from "@remix-run/react";
import { useCallback } from "react";

/** Marks the history entry while its address is replaced. React Router then writes its own state over it. */
const KEY = "replacedBy";

/** Returns a stable function that changes the address of the page without loading anything. */
export function useReplaceAddress(): (address: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (address: string) => {
      window.history.replaceState({ ...window.history.state, [KEY]: address }, "");
      navigate(address, { replace: true, preventScrollReset: true });
    },
    [navigate],
  );
}

/** For `shouldRevalidate`: whether the page only changes its address. */
export function isAddressReplaced({ pathname, search }: URL): boolean {
  if (typeof window === "undefined") return false;
  const state: unknown = window.history.state;
  const isMarked = typeof state === "object" && state !== null && KEY in state;
  return isMarked && state[KEY] === pathname + search;
}
