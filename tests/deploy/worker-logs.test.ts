import { unstable_readConfig as readConfig } from "wrangler";
import { expect, test } from "vitest";

test("Cloudflare stores the Worker's own log lines, and neither requests, queries nor traces", () => {
  const { observability } = readConfig({ config: "wrangler.worker.toml" }, { hideWarnings: true });

  expect(observability).toEqual({
    redact_query_string: true,
    logs: { enabled: true, invocation_logs: false },
  });
});
