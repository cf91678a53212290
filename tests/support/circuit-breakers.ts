import { afterEach } from "vitest";

import { breakers } from "#app/http/outgoing-calls.server.ts";

// Files share a worker, and so the breakers: a service that did not respond in one test would not be called in the
// next.
afterEach(() => breakers.clear());
