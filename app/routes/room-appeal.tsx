import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";

import { AppealScreen, type AppealResult } from "#app/chat/appeal/appeal.tsx";
import { describePage } from "#app/site/page-meta.ts";

export { askToPost as action } from "#app/chat/moderation/mute.server.ts";
export { clientAction } from "#app/site/offline.ts";

export const meta: MetaFunction = (args) =>
  describePage(args, { title: "Ask to post again", canonical: null });

/** The page only shows an appeal that was not sent. */
export function loader({ context }: LoaderFunctionArgs) {
  if (context.cloudflare.request?.method !== "POST") throw redirect("/home");
  return null;
}

/** The loader would redirect, and what was typed would be lost. */
export const shouldRevalidate = () => false;

export default function RoomAppealRoute() {
  const result = useActionData<AppealResult | { status: "done" }>();
  return result?.status === "error" ? <AppealScreen {...result} /> : null;
}
