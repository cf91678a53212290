export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #faf9f5; --card: #ffffff; --text: #1b211e; --quiet: #46514c; --line: #d3d8d3; --edge: #6b7872;
  --accent: #047857; --danger: #b3261e; --on-danger: #ffffff; --note: #e3f3ec; --on-note: #0b4a36;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0a0e0d; --card: #111b18; --text: #e8f1ec; --quiet: #b7c7bf; --line: #2a3833; --edge: #7f8f87;
    --accent: #34d399; --danger: #ff8a80; --on-danger: #3b0500; --note: #0f2e24; --on-note: #b9f0d8;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header { padding-block: 1rem 0; }
header p { margin: 0; color: var(--quiet); }
header strong { color: var(--text); }
header nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.5rem 0 0; padding: 0; border-bottom: 1px solid var(--line); list-style: none; }
header nav a { display: flex; align-items: center; min-height: 44px; border-bottom: 3px solid transparent; color: var(--quiet); text-decoration: none; }
header nav a:hover { color: var(--text); border-color: var(--line); }
header nav a[aria-current] { border-color: var(--accent); color: var(--text); font-weight: 600; }
main { padding-block: 0.5rem 3rem; }
h1 { margin: 1rem 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.75rem 0 0.5rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
.quiet, small { color: var(--quiet); }
small { font-size: 0.875rem; }
code { font: 0.9375em ui-monospace, monospace; }
.note { padding: 0.75rem 1rem; border-radius: 8px; background: var(--note); color: var(--on-note); }
.path { display: flex; flex-wrap: wrap; gap: 0 0.375rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.path li { display: flex; gap: 0.375rem; align-items: center; min-height: 2rem; }
.path li + li::before { content: "/" / ""; color: var(--quiet); }
.list { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--card); list-style: none; }
.list > li { padding: 0.625rem 1rem; }
.list > li + li { border-top: 1px solid var(--line); }
.list > li > a:only-child { display: flex; align-items: center; min-height: 44px; margin: -0.625rem 0; }
.list p { margin: 0; }
.badge { display: inline-block; padding: 0 0.5rem; border: 1px solid var(--edge); border-radius: 99px; color: var(--quiet); font-size: 0.8125rem; }
.badge.yes { border-color: var(--accent); color: var(--accent); }
table { width: 100%; border: 1px solid var(--line); border-radius: 8px; border-spacing: 0; background: var(--card); }
th, td { padding: 0.5rem 1rem; text-align: start; vertical-align: top; }
tr + tr > *, tbody > tr:first-child > * { border-top: 1px solid var(--line); }
thead + tbody > tr:first-child > * { border-top: 1px solid var(--line); }
table:not(:has(thead)) > tbody > tr:first-child > * { border-top: 0; }
th { min-width: 5.5rem; font-weight: 600; }
thead th { color: var(--quiet); font-size: 0.875rem; }
td { white-space: pre-wrap; }
td ul { margin: 0; padding-inline-start: 1rem; white-space: normal; }
form { margin: 0; }
.fields { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin-block: 0 1rem; }
.fields label { display: grid; flex: 1 1 14rem; gap: 0.25rem; font-size: 0.875rem; color: var(--quiet); }
input[type="text"], button, .button { min-height: 44px; padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--text); font: inherit; }
button, .button { padding-inline: 1rem; cursor: pointer; text-decoration: none; }
.button { display: inline-flex; align-items: center; }
.danger { border-color: var(--danger); background: var(--danger); color: var(--on-danger); font-weight: 600; }
.check { display: flex; gap: 0.5rem; align-items: center; min-height: 44px; margin-block-end: 1rem; }
.check input { width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { inset-inline-start: 1rem; z-index: 1; padding: 0.5rem 1rem; background: var(--card); }
:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; border-radius: 2px; }
@media (max-width: 30rem) { th, td { padding: 0.5rem; } .type { display: none; } }
`;
