#!/usr/bin/env node
// Node.js 20 does not run TypeScript by itself.
import { register } from "tsx/esm/api";

register();
await import("./command.ts");
