import type { ReactNode } from "react";

/**
 * HTML that only the server renders: `<ServerHtml>{import.meta.env.SSR ? <Panel /> : null}</ServerHtml>`. The condition
 * keeps the code of the children out of the browser's build.
 */
export function ServerHtml(props: { children: ReactNode }) {
  return import.meta.env.SSR ? (
    <div>{props.children}</div>
  ) : (
    // oxlint-disable-next-line react/no-danger -- an empty constant, for which React keeps the server's HTML; without it React would remove that HTML
    <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
  );
}
