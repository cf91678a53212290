import type { GoogleScreen } from "./google.server.ts";
import { CHANNEL, type GoogleResult } from "./popup-channel.ts";

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
 * Returns the pop-up's last page, which posts the result to the page that opened it and closes. If the opener is gone,
 * the pop-up stays open and shows its text.
 */
export function renderPopup(
  result: GoogleResult,
  { headers, status, screen }: { headers: Headers; status: number; screen: GoogleScreen },
): Response {
  const nonce = crypto.randomUUID();
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set(
    "Content-Security-Policy",
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
  );
  // With the policy of our other pages, a pop-up that returns from Google would look closed to its opener.
  headers.set("Cross-Origin-Opener-Policy", "unsafe-none");
  headers.set("Referrer-Policy", "no-referrer");
  return new Response(toHtml(result, screen, nonce), { headers, status });
}

function toHtml(result: GoogleResult, screen: GoogleScreen, nonce: string): string {
  const { error } = result;
  const isLink = screen === "link";
  const [success, failure] = isLink
    ? ["Google is linked", "Google isn't linked"]
    : ["You're signed in", "Not signed in"];
  const title = error ? failure : success;
  const [to, where] = error && !isLink ? ["/login", "Sign In"] : ["/profile", "your profile"];
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
      ${error ? `<p>${escape(error.message)}</p>` : ""}
      ${error?.hint ? `<p>${escape(error.hint)}</p>` : ""}
      <p>You can close this window, or <a href="${to}">go to ${where}</a>.</p>
    </main>
    <script nonce="${nonce}">
      const result = ${toScript(result)};
      const channel = new BroadcastChannel(${toScript(CHANNEL)});
      channel.onmessage = ({ data }) => {
        if (data.received === result.popupId) window.close();
      };
      channel.postMessage(result);
    </script>
  </body>
</html>
`;
}

/** Returns a value as JSON that cannot close the script element. */
function toScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
