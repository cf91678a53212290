import { checkProject, checkSite } from "./diagnose.ts";

// `npm run doctor` checks the production variables in wrangler.toml and the Firebase project that they name.
// `npm run doctor -- https://example.com` asks a deployed site. Exits with 1 when something is wrong.

const [address] = process.argv.slice(2);
const isHealthy = await (address === undefined ? checkProject(process.env) : checkSite(address));
process.exit(isHealthy ? 0 : 1);
