import { createContext, useContext } from "react";

/** The nonce of the response's Content-Security-Policy. Empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");

export interface InlineScriptProps {
  /** Must not contain user data. Pass `""` in the browser's build: only the server's HTML runs the script. */
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
