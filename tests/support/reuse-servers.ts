import { afterAll } from "vitest";

import { reuseServers, stopIdleServers } from "./firebase.ts";

reuseServers();
afterAll(stopIdleServers);
