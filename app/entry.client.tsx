import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";

import { ChatProvider } from "./chat/chat-provider.tsx";
import * as root from "./root.tsx";
import { retryRevalidations } from "./site/retry-revalidation.client.ts";

// Every page has the root route, so it is part of this script instead of one of its own.
window.__remixRouteModules["root"] = root;
retryRevalidations();
void start();

async function start(): Promise<void> {
  await decodeData();
  startTransition(() => {
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
 * Waits for the page's data. Until they are decoded, `RemixBrowser` suspends outside of any boundary. If the user then
 * presses a key, React 18 fails with error 345, "Root did not complete".
 */
async function decodeData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}
