import { useRouteLoaderData } from "@remix-run/react";

import type { Account } from "./accounts/credentials-schema.ts";
import type { loader } from "./root.tsx";

/** Returns who is signed in, as the root loader last said. */
export function useAccount(): Account | null {
  return useRouteLoaderData<typeof loader>("root")?.account ?? null;
}

/** Returns why an attempt that left the page was refused, if it began on that screen and this page is its end. */
export function useKeptRefusal(screen: string): { message: string; hint?: string } | undefined {
  const refusal = useRouteLoaderData<typeof loader>("root")?.refusal;
  return refusal?.screen === screen ? refusal : undefined;
}
