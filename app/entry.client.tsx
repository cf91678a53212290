import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";

import { ChatProvider } from "./chat/chat-provider.tsx";
import { toDecodableHash } from "./http/safe-path.ts";
import * as root from "./root.tsx";
import { retryRevalidations } from "./site/retry-revalidation.client.ts";
import { restoreTranslatedPage } from "./site/translated-page.client.ts";

// Every page needs the root route. A file of its own would cost another request and 0.2 KB (gzip).
window.__remixRouteModules["root"] = root;
keepHashDecodable();
retryRevalidations();
void start();

async function start(): Promise<void> {
  await decodeData();
  // A translated page is hydrated at once: between React's steps, the translator would translate it again.
  const hydrate = restoreTranslatedPage() ? flushSync : startTransition;
  hydrate(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <ChatProvider>
          <RemixBrowser />
        </ChatProvider>
      </StrictMode>,
    );
  });
}

/**
 * Waits until the page's data is decoded. Until then, `RemixBrowser` suspends outside any boundary. If the user presses a
 * key meanwhile (error 345), or `flushSync` hydrates (426), React 18 gives up and the page stays without scripts.
 *
 * @see https://github.com/remix-run/remix/issues/10214
 */
async function decodeData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}

/** Makes the address's hash decodable before React Router reads it. Call it before the router is created. */
function keepHashDecodable(): void {
  window.addEventListener("popstate", () => {
    const hash = toDecodableHash(location.hash);
    if (hash !== location.hash) history.replaceState(history.state, "", hash);
  });
}
