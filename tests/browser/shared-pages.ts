import type { TestAccount } from "#tests/support/firebase.ts";
import { expect } from "./fixtures.ts";

/** Expects an app to share /home among visitors, each with its own nonce, and to give a user their own page. */
export async function expectSharedPages(
  url: string,
  { email, password, displayName }: TestAccount,
): Promise<void> {
  const visit = (headers: Record<string, string> = {}) => fetch(`${url}/home`, { headers });
  await expect.poll(async () => isCached(await visit())).toBe(true);

  const pages = await Promise.all([visit(), visit()]);
  const nonces = await Promise.all(pages.map(readNonces));
  expect(pages.map(isCached)).toEqual([true, true]);
  for (const { policy, scripts } of nonces) expect(scripts).toEqual([policy]);
  expect(nonces[0]?.policy).not.toEqual(nonces[1]?.policy);

  const etag = pages[0]?.headers.get("ETag") ?? "";
  const revalidated = await visit({ "If-None-Match": etag });
  expect(revalidated.status).toBe(304);
  expect(isCached(revalidated)).toBe(true);
  expect(revalidated.headers.get("Content-Security-Policy")).toBeNull();
  expect((await visit({ "If-None-Match": '"another"' })).status).toBe(200);

  const { headers } = await fetch(`${url}/login`, {
    method: "POST",
    headers: { Origin: url },
    body: new URLSearchParams({ email, password }),
    redirect: "manual",
  });
  const Cookie = headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
  for (const condition of ["", etag]) {
    const own = await visit({ Cookie, "If-None-Match": condition });
    expect(isCached(own)).toBe(false);
    expect(await own.text()).toContain(displayName);
  }
  const shared = await visit();
  expect(isCached(shared)).toBe(true);
  expect(await shared.text()).not.toContain(displayName);
}

function isCached({ headers }: Response): boolean {
  return /(?:^|, )cache(?:,|$)/.test(headers.get("Server-Timing") ?? "");
}

/** Returns the nonce of the policy, and the distinct nonces of the page's scripts. */
async function readNonces(response: Response) {
  const html = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const scripts = [...html.matchAll(/<script[^>]* nonce="([^"]*)"/g)].map(([, nonce]) => nonce);
  return { policy: /'nonce-([^']+)'/.exec(policy)?.[1], scripts: [...new Set(scripts)] };
}
