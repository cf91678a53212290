import { renderToString } from "react-dom/server";

import { PlainForm } from "./plain-form.tsx";

export const html = renderToString(<PlainForm />);
