import { createServer, type Plugin, type ViteDevServer } from "vite";

/** Vite's development server adds style sheets with JavaScript only, so the page links these. The build has its own. */
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
        if (path !== "/plain-form.html") return html;
        const form = await (server ? renderForm(server) : renderFormForBuild(repository));
        const styles = server ? STYLES : [];
        const links = styles.map(
          (file) => `<link rel="stylesheet" href="/@fs${repository}${file}" />`,
        );
        return html.replace("<!-- styles -->", links.join("\n")).replace("<!-- form -->", form);
      },
    },
  };
}

async function renderForm(server: ViteDevServer): Promise<string> {
  const module: { html?: unknown } = await server.ssrLoadModule("/plain-form-server.tsx");
  if (typeof module.html !== "string") throw new Error("plain-form-server.tsx exports no HTML.");
  return module.html;
}

/** Renders the form with a server of its own, because a build has none. */
async function renderFormForBuild(repository: string): Promise<string> {
  const server = await createServer({
    configFile: false,
    root: `${repository}tests/gallery`,
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    appType: "custom",
    logLevel: "error",
  });
  try {
    return await renderForm(server);
  } finally {
    await server.close();
  }
}
