import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";

import { ChatProvider } from "./chat/chat-provider.tsx";
import * as root from "./root.tsx";
import { keepHashDecodable } from "./site/decodable-hash.client.ts";
import { retryRevalidations } from "./site/retry-revalidation.client.ts";
import { restoreTranslatedPage } from "./site/translated-page.client.ts";

// Every page needs the root route, so this script contains it instead of loading it separately, which would take one file
// and 0.2 KB (gzip) more.
window.__remixRouteModules["root"] = root;
keepHashDecodable();
retryRevalidations();
void start();

async function start(): Promise<void> {
  await decodeData();
  // React hydrates in small steps, between which the translator would translate the page again.
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
 * Waits until the page's data is decoded. Before that, `RemixBrowser` suspends outside any boundary, where React 18 gives
 * up if the user presses a key meanwhile (error 345), or if `flushSync` hydrates (426): the page then stays without scripts.
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
