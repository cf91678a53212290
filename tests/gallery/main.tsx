import "#app/styles/app.css";

import "@fontsource-variable/literata/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";

import { Gallery } from "./gallery.tsx";

// As on every page: see `ScriptingScript`.
document.documentElement.dataset.scripting = "";

const root = document.querySelector("#root");
if (!root) throw new Error("index.html has no #root.");
createRoot(root).render(
  <StrictMode>
    {/* Links need a router. In the gallery they don't navigate. */}
    <MemoryRouter future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
      <Gallery />
    </MemoryRouter>
  </StrictMode>,
);
