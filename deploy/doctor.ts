import { parseArgs } from "node:util";

import { checkProject, checkSite } from "./diagnose.ts";

// `npm run doctor` checks the production variables in wrangler.toml and the Firebase project that they name; with
// `-- --worker`, those in wrangler.worker.toml. `npm run doctor -- https://example.com` asks a deployed site. Exits with 1
// when something is wrong.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { worker: { type: "boolean", default: false } },
});
const [address] = positionals;
const isHealthy = await (address === undefined
  ? checkProject(process.env, values.worker ? "worker" : "pages")
  : checkSite(address));
process.exit(isHealthy ? 0 : 1);
