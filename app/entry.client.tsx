import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";

void start();

async function start(): Promise<void> {
  await decodeData();
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
}

/**
 * Waits for the page's data. Until it has them, Remix's root throws a promise; in React 18 a key that is pressed at that
 * moment ends in an error (345, "Root did not complete"), because no boundary is above the root to wait at.
 */
async function decodeData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
}
