import { useNavigate } from "@remix-run/react";
import { useCallback } from "react";

/** Marks the history entry while its address is replaced. React Router then overwrites the state. */
const KEY = "replacedBy";

/**
 * Returns a stable function that replaces the page's address. Routes with `isAddressReplaced` in `shouldRevalidate`
 * then load no data.
 */
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

/** Whether only the address of the page changes. For `shouldRevalidate`. */
export function isAddressReplaced({ pathname, search, hash }: URL): boolean {
  const state: { [KEY]?: unknown } | null = globalThis.history?.state;
  return state?.[KEY] === pathname + search + hash;
}
