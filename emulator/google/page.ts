import { escape } from "../html.ts";
import type { GoogleAccount } from "./accounts.ts";

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #faf9f5; --card: #ffffff; --text: #1b211e; --quiet: #46514c;
  --line: #6b7872; --fill: #047857; --on-fill: #ffffff; --note: #fdf3d7; --on-note: #5b4300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0a0e0d; --card: #111b18; --text: #e8f1ec; --quiet: #b7c7bf;
    --line: #7f8f87; --fill: #34d399; --on-fill: #052e22; --note: #33280a; --on-note: #f6dd9b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 1rem 0 0.25rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1rem; }
p { margin: 0 0 1rem; color: var(--quiet); overflow-wrap: anywhere; }
.note { margin: 0; padding: 0.75rem 1rem; border-radius: 8px; background: var(--note); color: var(--on-note); }
ul { display: grid; gap: 0.5rem; margin: 0; padding: 0; list-style: none; }
button, input[type="text"], input[type="email"] { min-height: 44px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); color: inherit; font: inherit; }
button { padding: 0.5rem 1rem; cursor: pointer; }
ul button { display: flex; align-items: center; gap: 0.75rem; width: 100%; text-align: start; }
ul button > span:last-child { display: grid; min-width: 0; overflow-wrap: anywhere; }
small { color: var(--quiet); font-size: 0.875rem; }
.initial { display: grid; flex: none; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%;
  background: var(--fill); color: var(--on-fill); font-weight: 600; }
.fields { display: grid; gap: 0.25rem; }
.fields label { margin-block-start: 0.5rem; }
.fields input[type="text"], .fields input[type="email"] { width: 100%; padding: 0.5rem 0.75rem; }
.check { display: flex; gap: 0.5rem; align-items: center; min-height: 44px; }
.check input { width: 1.25rem; height: 1.25rem; }
.fill { border-color: var(--fill); background: var(--fill); color: var(--on-fill); font-weight: 600; }
.cancel { margin-block: 1.5rem; }
.cancel button { width: 100%; }
:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
`;

/** Returns the page where the user chooses an account or cancels. */
export function renderAccountChooser(
  accounts: readonly GoogleAccount[],
  redirectUri: string,
): string {
  const { host } = new URL(redirectUri);
  const items = accounts.map(
    ({ email, name }) => `
      <li>
        <button name="person" value="${escape(email)}">
          <span class="initial" aria-hidden="true">${escape(name.slice(0, 1))}</span>
          <span>${escape(name)} <small>${escape(email)}</small></span>
        </button>
      </li>`,
  );
  return renderPage(
    "Choose an account",
    `
    <p>${escape(host)} wants to see your name, e-mail address and picture.</p>
    <form method="post">
      <ul aria-label="People">${items.join("")}
      </ul>
    </form>
    <h2 id="other">Someone else</h2>
    <form method="post" class="fields" aria-labelledby="other">
      <label for="name">Name</label>
      <input id="name" name="name" type="text" autocomplete="off" maxlength="80">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="off" required maxlength="254">
      <label class="check"><input name="verified" type="checkbox" checked> Google has verified this address</label>
      <button class="fill">Continue</button>
    </form>
    <form method="post" class="cancel"><button name="refuse" value="true">Cancel</button></form>`,
  );
}

/** Returns the page that explains what is wrong with the request. */
export function renderError(reason: string): string {
  return renderPage(
    "This request isn't valid",
    `<p>Google would refuse it too, so nothing was sent back.</p><p>${escape(reason)}</p>`,
  );
}

function renderPage(heading: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${heading} · local stand-in for Google</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <div class="note">This isn't Google. It's a stand-in on this machine for trying things out, so you don't need a password.</div>
      <h1>${heading}</h1>
      ${content}
    </main>
  </body>
</html>
`;
}
