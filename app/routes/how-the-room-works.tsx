import type { MetaFunction } from "@remix-run/cloudflare";

import { describePage } from "#app/site/page-meta.ts";

export { RoomRules as default } from "#app/home/info/room-rules.tsx";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "How the room works",
    description: "The rules of the room in ten lines.",
  });
