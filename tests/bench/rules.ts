import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";

import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";

/*
 * Shows that the rules stay a fifth below Firestore's limits of 10 documents and 1,000 expressions for a write, and 20
 * documents for a commit (https://firebase.google.com/docs/firestore/quotas#security_rules): in the tests of the rules, each
 * rule for a write also looks for two more documents and evaluates 200 more expressions.
 *
 * Needs Google's emulator, because local Firebase does not enforce all limits. tests/support/firebase.ts says how to start
 * it: `TEST_FIRESTORE_HOST=127.0.0.1:8085 npm run bench:rules`.
 */

const WRITE_RULE = /allow ((?:create|update|delete)(?:, (?:update|delete))*): if ([^;]+);/g;

const START = "match /databases/{database}/documents {";

/** A call of it counts as 20 expressions at least. */
const SPEND_TWENTY = `
    function spendTwenty() {
      return ${Array.from({ length: 10 }, () => "true").join(" && ")};
    }`;

const host = process.env.TEST_FIRESTORE_HOST;
if (!host)
  throw new Error("Set TEST_FIRESTORE_HOST to the address of Google's Firestore emulator.");
const rules = await readFile("firestore.rules", "utf8");
await setRules(spendMore(rules));
try {
  const args = ["node_modules/vitest/vitest.mjs", "run", "tests/rules", "--reporter=dot"];
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
} finally {
  await setRules(rules);
}

function spendMore(source: string): string {
  let count = 0;
  return source
    .replace(START, START + SPEND_TWENTY)
    .replace(WRITE_RULE, (_rule, methods: string, condition: string) => {
      count += 1;
      const more = [
        `!exists(/databases/$(database)/documents/spent/${count}a)`,
        `!exists(/databases/$(database)/documents/spent/${count}b)`,
        ...Array.from({ length: 10 }, () => "spendTwenty()"),
      ];
      return `allow ${methods}: if ${more.join(" && ")} && (${condition});`;
    });
}

async function setRules(content: string): Promise<void> {
  const url = `http://${host}/emulator/v1/projects/${LOCAL_PROJECT_ID}:securityRules`;
  const body = JSON.stringify({ rules: { files: [{ name: "firestore.rules", content }] } });
  const response = await fetch(url, { method: "PUT", body });
  if (!response.ok) throw new Error(`The emulator rejects the rules: ${await response.text()}`);
}
