import { useRouteLoaderData } from "@remix-run/react";

import type { Account } from "#app/schemas/account.ts";
import type { loader } from "../root.tsx";

/** Returns who is signed in, as the root loader last said. */
export function useAccount(): Account | null {
  return useRouteLoaderData<typeof loader>("root")?.account ?? null;
}
