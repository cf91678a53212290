import { useContext } from "react";

import { NonceContext } from "./nonce.ts";

export interface InlineScriptProps {
  /** Never contains data of users. Pass `""` to the browser's build: only the server's HTML runs it. */
  code: string;
  /** Read by the script as `document.currentScript.dataset.paragraph`. */
  paragraph?: string;
}

/** A script in the server's HTML that runs before hydration. */
export function InlineScript({ code, paragraph }: InlineScriptProps) {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce}
      data-paragraph={paragraph}
      // Browsers hide the nonce from scripts, and their build lacks the code, so React would report a mismatch.
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- `code` is a constant of our modules; as a child React would escape its quotes, and the script would not run
      dangerouslySetInnerHTML={{ __html: code }}
    />
  );
}
