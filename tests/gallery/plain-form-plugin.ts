import type { Plugin } from "vite";

/** What the app would send as its style sheets; without scripts, Vite itself sends none. */
const STYLES = [
  "app/styles/app.css",
  "app/ui/button.module.css",
  "app/ui/checkbox.module.css",
  "app/ui/field-errors.module.css",
  "app/ui/select.module.css",
  "app/ui/switch.module.css",
  "app/ui/text-field.module.css",
  "app/ui/dialog.module.css",
  "app/ui/menu.module.css",
  "tests/gallery/gallery.module.css",
];

/** Fills in plain-form.html as a server would, so that it can be tried before, and without, scripts. */
export function plainForm(repository: string): Plugin {
  return {
    name: "plain-form",
    transformIndexHtml: {
      order: "pre",
      async handler(html, { server, path }) {
        if (!server || path !== "/plain-form.html") return html;
        const module: { html?: unknown } = await server.ssrLoadModule("/plain-form-server.tsx");
        if (typeof module.html !== "string") throw new Error("The form did not come as HTML.");
        const links = STYLES.map(
          (file) => `<link rel="stylesheet" href="/@fs${repository}${file}" />`,
        );
        return html
          .replace("<!-- styles -->", links.join("\n"))
          .replace("<!-- form -->", module.html);
      },
    },
  };
}
