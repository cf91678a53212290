import type { GoogleAttempt } from "./google.server.ts";
import { CHANNEL, type GoogleOutcome } from "./popup-channel.ts";

const STYLE = `
:root { color-scheme: light dark; --ground: #faf9f5; --text: #1b211e; --link: #047857; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0a0e0d; --text: #e8f1ec; --link: #34d399; }
}
body { margin: 0; padding: 2rem 1.5rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; }
a { color: var(--link); }
`;

/**
 * Returns the page on which a pop-up ends: it tells the page that opened it what became of the sign-in, and closes.
 * Its words are for when that page is gone. Small and on its own, so that it is there for a blink.
 */
export function renderPopup(
  outcome: GoogleOutcome,
  { headers, status, screen }: { headers: Headers; status: number } & Pick<GoogleAttempt, "screen">,
): Response {
  const nonce = crypto.randomUUID();
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set(
    "Content-Security-Policy",
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
  );
  // With the pages' own policy a pop-up that comes back from Google would seem closed to whoever opened it.
  headers.set("Cross-Origin-Opener-Policy", "unsafe-none");
  headers.set("Referrer-Policy", "no-referrer");
  return new Response(toHtml(outcome, screen, nonce), { headers, status });
}

function toHtml(outcome: GoogleOutcome, screen: GoogleAttempt["screen"], nonce: string): string {
  const { refusal } = outcome;
  const isLink = screen === "link";
  const [done, failed] = isLink
    ? ["Google is linked", "Google isn't linked"]
    : ["You're signed in", "Not signed in"];
  const title = refusal ? failed : done;
  const [to, where] = refusal && !isLink ? ["/login", "Sign In"] : ["/profile", "your profile"];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Inkglade</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${refusal ? `<p>${escape(refusal.message)}</p>` : ""}
      ${refusal?.hint ? `<p>${escape(refusal.hint)}</p>` : ""}
      <p>You can close this window, or <a href="${to}">go to ${where}</a>.</p>
    </main>
    <script nonce="${nonce}">
      const outcome = ${toScript(outcome)};
      const channel = new BroadcastChannel(${toScript(CHANNEL)});
      channel.onmessage = ({ data }) => {
        if (data.heard === outcome.flow) window.close();
      };
      channel.postMessage(outcome);
    </script>
  </body>
</html>
`;
}

/** Returns a value as a script may hold it: nothing in it can end the script. */
function toScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
