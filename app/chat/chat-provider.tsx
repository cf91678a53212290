import { createContext, useContext, useState, type ReactNode } from "react";

type Create = () => unknown;

const TabStateContext = createContext<Map<Create, unknown> | null>(null);

/** Provides this tab's state of the chat. Rendered around the router, so that an error page does not discard it. */
export function ChatProvider({ children }: { children: ReactNode }) {
  const [state] = useState(() => new Map<Create, unknown>());
  return <TabStateContext.Provider value={state}>{children}</TabStateContext.Provider>;
}

/**
 * Returns one object for the whole tab, created by the first call with the same function.
 *
 * @throws outside of `ChatProvider`
 */
export function useTabState<T>(create: () => T): T {
  const state = useContext(TabStateContext);
  if (!state) throw new Error("There is no ChatProvider");
  if (!state.has(create)) state.set(create, create());
  // Only this function sets values, and each value was returned by its key.
  return state.get(create) as T;
}
