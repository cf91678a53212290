import type { CheckName } from "#app/site/health.server.ts";
import type { IndexesProblem } from "./indexes-check.ts";
import type { ServiceAccountProblem } from "./service-account-check.ts";
import type { SignInProblem } from "./sign-in-check.ts";

type Problem =
  | `${CheckName} ${string}`
  | `sign-in ${SignInProblem}`
  | `indexes ${IndexesProblem}`
  | `service-account ${ServiceAccountProblem}`;

/** What each problem means, and where to fix it. */
const ADVICE: Readonly<Record<string, string>> = {
  "environment invalid":
    "Public variables belong in wrangler.toml. Store a secret with `npx wrangler pages secret put NAME`, then deploy again. As a Worker: wrangler.worker.toml, and `npx wrangler secret put NAME --config wrangler.worker.toml`.",
  "sessionKey unusable": "Store another SESSION_SECRET, as docs/deploy.md says, then deploy again.",
  "auth no-answer":
    "Firebase Authentication doesn't respond. See https://status.firebase.google.com.",
  "auth missing": "Firebase console → Authentication → Get started.",
  "auth rejected":
    "FIREBASE_API_KEY is wrong or restricted. Copy apiKey from Project settings → General → Your apps. Google Cloud console → APIs & Services → Credentials → the key: no application restriction, and at least the Identity Toolkit API and the Token Service API.",
  "firestore no-answer": "Firestore doesn't respond. See https://status.firebase.google.com.",
  "firestore missing":
    "Check FIREBASE_PROJECT_ID. Firebase console → Firestore Database → Create database: Standard edition, with the id (default).",
  "firestore old-rules":
    "The deployed rules are not those of this release: `npm run deploy:rules -- --project <id>`.",
  "database no-answer":
    "The Realtime Database doesn't respond. Check FIREBASE_DATABASE_URL, and https://status.firebase.google.com.",
  "database missing":
    "FIREBASE_DATABASE_URL is not the address of a database. Firebase console → Realtime Database → Create database, and copy the address above the data.",
  "database old-rules":
    "The deployed rules are not those of this release: `npm run deploy:rules -- --project <id>`.",
  "sign-in off": "Firebase console → Authentication → Sign-in method → Email/Password: enable it.",
  "sign-in unnamed-errors":
    "Email enumeration protection is on, so the app can't say “User not found” or “Invalid password”. Firebase console → Authentication → Settings → User actions: turn it off.",
  "sign-in no-answer": "Firebase Authentication doesn't respond to this machine.",
  "sign-in rejected": "Firebase rejected a sign-in for another reason. See the API key above.",
  "indexes not-ready":
    "Searches by tag or writer fail. Indexes are deployed with the rules, and take minutes to build: Firebase console → Firestore Database → Indexes. If it names none: `npm run deploy:rules -- --project <id>`.",
  "indexes no-answer": "Firestore doesn't respond to this machine.",
  "indexes rejected":
    "Firestore rejected a search for another reason. See the firestore check above.",
  "service-account unknown":
    "No service account has the address in FIREBASE_CLIENT_EMAIL. Copy client_email and private_key from the same JSON file. If the account was deleted, create another: docs/deploy.md.",
  "service-account wrong-key":
    "FIREBASE_PRIVATE_KEY is not, or no longer, a key of FIREBASE_CLIENT_EMAIL. Google Cloud console → IAM & Admin → Service accounts → the account → Keys → Add key. Store its private_key, then deploy again.",
  "service-account wrong-clock": "Google finds this machine's clock wrong. Set it, and try again.",
  "service-account no-answer": "oauth2.googleapis.com doesn't respond to this machine.",
  "service-account rejected":
    "Google rejects the service account. Google Cloud console → IAM & Admin → Service accounts: is it enabled, and is its key listed under Keys?",
} satisfies Partial<Record<Problem, string>>;

/** Returns what to do about a problem, given as the name of its check and what is wrong. */
export function getAdvice(problem: string): string {
  return ADVICE[problem] ?? "See docs/deploy.md.";
}
