import "#app/styles/app.css";

import { hydrateRoot } from "react-dom/client";

import { PlainForm } from "./plain-form.tsx";

// As on every page: see `ScriptingScript`.
document.documentElement.dataset.scripting = "";

const root = document.querySelector("#root");
if (!root) throw new Error("plain-form.html has no #root.");
hydrateRoot(root, <PlainForm />);
root.setAttribute("data-hydrated", "");
