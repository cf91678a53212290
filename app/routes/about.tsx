import { describePage } from "#app/site/page-meta.ts";

export { About as default } from "#app/home/info/about.tsx";

export const meta = () =>
  describePage({
    title: "About",
    description: "A place to read short stories, to write them, and to talk about them.",
  });
