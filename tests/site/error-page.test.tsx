import { expect, test } from "vitest";

import { action as rootAction } from "#app/root.tsx";
import { renderError } from "#tests/ui/render.tsx";

const MAINTENANCE_TEXT = "We&#x27;ll be online soon!";

test("shows the maintenance page only during maintenance, not for other 503s", () => {
  const message = "We can't load this story right now. Go back and try again in a moment.";
  const html = renderError("/reading-position", 503, { message });

  expect(html).toContain(message.replace("'", "&#x27;"));
  expect(html).toContain("Not available right now");
  expect(html).not.toContain(MAINTENANCE_TEXT);

  const request = new Request("http://localhost/assets/none");
  const context = { cloudflare: { env: {}, request, data: { isUnderMaintenance: true } } };
  expect(
    renderError(
      "/home",
      503,
      catchData(() => rootAction({ request, params: {}, context })),
    ),
  ).toContain(MAINTENANCE_TEXT);
});

test.each([null, undefined, "", { message: 7 }, { isMaintenance: "yes" }])(
  "a 503 with %j shows the general error page",
  (data) => {
    const html = renderError("/home", 503, data);

    expect(html).not.toContain(MAINTENANCE_TEXT);
    expect(html).toContain("Nothing you saved was lost.");
  },
);

/** Returns the data of a thrown response. */
function catchData(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    if (typeof thrown === "object" && thrown !== null && "data" in thrown) return thrown.data;
    throw thrown;
  }
  throw new Error("Nothing was thrown");
}
