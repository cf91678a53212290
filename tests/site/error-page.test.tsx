import { expect, test } from "vitest";

import { action as rootAction } from "#app/root.tsx";
import { renderError } from "#tests/ui/render.tsx";

const PROMISE = "We&#x27;ll be online soon!";

test("only the maintenance switch shows the maintenance screen, whatever else answers 503", () => {
  const message = "We can't load this story right now. Go back and try again in a moment.";
  const html = renderError("/place", 503, { message });

  expect(html).toContain(message.replace("'", "&#x27;"));
  expect(html).toContain("Not available right now");
  expect(html).not.toContain(PROMISE);

  const request = new Request("http://localhost/assets/none");
  const context = { cloudflare: { env: {}, request, data: { isUnderMaintenance: true } } };
  expect(
    renderError(
      "/home",
      503,
      thrownBy(() => rootAction({ request, params: {}, context })),
    ),
  ).toContain(PROMISE);
});

test.each([null, undefined, "", { message: 7 }, { isMaintenance: "yes" }])(
  "a 503 with %j is no maintenance, and names no reason it does not know",
  (data) => {
    const html = renderError("/home", 503, data);

    expect(html).not.toContain(PROMISE);
    expect(html).toContain("Nothing you saved was lost.");
  },
);

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (thrown) {
    if (typeof thrown === "object" && thrown !== null && "data" in thrown) return thrown.data;
    throw thrown;
  }
  throw new Error("Nothing was thrown");
}
