import type { Plugin } from "vite";

/** Vite's development server adds style sheets with JavaScript only, so the page links these. */
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

/** Renders the form into plain-form.html on the server, to try it without JavaScript and before hydration. */
export function plainForm(repository: string): Plugin {
  return {
    name: "plain-form",
    transformIndexHtml: {
      order: "pre",
      async handler(html, { server, path }) {
        if (!server || path !== "/plain-form.html") return html;
        const module: { html?: unknown } = await server.ssrLoadModule("/plain-form-server.tsx");
        if (typeof module.html !== "string")
          throw new Error("plain-form-server.tsx exports no HTML.");
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
