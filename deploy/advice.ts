import type { CheckName } from "#app/site/health.server.ts";
import type { SignInProblem } from "./sign-in-check.ts";

type Problem = `${CheckName} ${string}` | SignInProblem;

/** What each problem means, and where to fix it. */
const ADVICE: Partial<Record<Problem, string>> = {
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
    "Check FIREBASE_PROJECT_ID. Firebase console → Firestore Database → Create database, with the id (default).",
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
};

/** Returns what to do about a problem. */
export function getAdvice(problem: Problem): string {
  return ADVICE[problem] ?? "See docs/deploy.md.";
}
