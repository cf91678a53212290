import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";

import { ChatProvider } from "./chat/chat-provider.tsx";
import * as root from "./root.tsx";
import { keepHashDecodable } from "./site/decodable-hash.client.ts";
import { retryRevalidations } from "./site/retry-revalidation.client.ts";
import { restoreTranslatedPage } from "./site/translated-page.client.ts";

// Every page needs the root route, so this script contains it instead of loading it separately.
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
 * Waits until the page's data is decoded. Before that, `RemixBrowser` suspends outside any boundary: if the user presses a
 * key meanwhile, React 18 fails with error 345, "Root did not complete".
 */
async function decodeData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}
