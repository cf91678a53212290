import { expect, test } from "vitest";

import { PROFILE_FORMS, PROFILE_TABS } from "#app/profile/profile-view.ts";
import type { NewAccount } from "#tests/support/firebase.ts";
import { readMails } from "#tests/support/mail.ts";
import { expectValue, readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";

const PHOTO = "https://pictures.example/ana.svg";

/** Starts the app with a signed-in user. */
async function startSignedIn(account?: NewAccount) {
  const browser = await startPlainBrowser();
  const person = await browser.firebase.addAccount(account);
  const { email, password } = person;
  await browser.post("/login", { email, password });
  return { ...browser, person };
}

test("a user adds a name, and the next message shows it", async () => {
  await using browser = await startSignedIn();
  const profile = await browser.get("/profile");
  expect(profile.html).toContain("Not set");
  await browser.submit(await browser.get("/create"), "Send", { message: "Before" });

  const form = await browser.follow(profile, "Add a name");
  expect(form.path).toBe("/profile?tab=name");
  const saved = await browser.submit(form, "Save", { displayName: "Ana Reyes", photoURL: PHOTO });

  expect(saved.html).toContain("Saved.");
  expect(readTexts(saved, ["dd"])).toContain("Ana Reyes");
  expect(saved.html).toMatch(new RegExp(`<img [^>]*src="${PHOTO}"[^>]*alt="Your photo"`));
  const room = await browser.submit(await browser.get("/create"), "Send", { message: "After" });
  expect(readTexts(room, ["article"])).toEqual([
    expect.stringMatching(/Anonymous.*Before/),
    expect.stringMatching(/Ana Reyes.*After/),
  ]);
});

test("a name that is too long is explained and stays in the form", async () => {
  await using browser = await startSignedIn();
  const displayName = "x".repeat(81);

  const response = await browser.submit(await browser.get("/profile"), "Save", { displayName });

  expect(response.html).toContain("A name can have up to 80 characters");
  expectValue(response, "displayName", displayName);
});

test("keeps a name that was submitted after the session had ended", async () => {
  await using browser = await startSignedIn();
  const { email, password } = browser.person;
  const profile = await browser.get("/profile");
  browser.clearCookies("__session");

  const signIn = await browser.submit(profile, "Save", { displayName: "Ana Reyes" });
  expect(signIn.path).toBe("/login");
  expect(signIn.html).toContain("Sign in again; your text is safe.");

  const kept = await browser.submit(signIn, "Login", { email, password });
  expectValue(kept, "displayName", "Ana Reyes");
  expect(kept.html).toContain("What you typed is still here.");
  const saved = await browser.submit(kept, "Save");
  expect(saved.html).toContain("Saved.");
  expect(saved.html).not.toContain("What you typed is still here.");
});

test("keeps a line about the user that was submitted after the session had ended", async () => {
  await using browser = await startSignedIn();
  const { email, password } = browser.person;
  const profile = await browser.get("/profile");
  browser.clearCookies("__session");

  const signIn = await browser.submit(profile, "Save text", { about: "Ghosts." });
  expect(signIn.html).toContain("Sign in again; your text is safe.");

  const kept = await browser.submit(signIn, "Login", { email, password });
  expectValue(kept, "about", "Ghosts.");
  expect(kept.html).toContain("What you typed is still here.");
  const saved = await browser.submit(kept, "Save text");
  expectValue(saved, "about", "Ghosts.");
  expect(saved.html).not.toContain("What you typed is still here.");
});

test("every form names the user whose page it is on", async () => {
  await using browser = await startSignedIn();
  const { email, password, localId } = browser.person;
  browser.clearCookies("__session");
  await browser.post("/login", { email, password });
  const hide = { intent: "hide", person: "tomas", name: "Tomas Lund" };
  await browser.post("/rooms/general/hidden", hide);

  const intents = new Set<string | undefined>();
  for (const { id } of PROFILE_TABS) {
    const { html } = await browser.get(`/profile?tab=${id}`);
    const forms = html.match(/<form [^>]*action="\/profile[\s\S]*?<\/form>/g) ?? [];
    for (const form of forms) {
      intents.add(/name="intent" value="([^"]+)"/.exec(form)?.[1]);
      expect(form).toContain(`name="uid" value="${localId}"`);
    }
  }
  // An account without Google has a password, so the page does not have two other forms. Only operators have the third.
  const others = ["send-password-link", "unlink-google", "moderate"];
  expect(intents).toEqual(new Set(PROFILE_FORMS.filter((form) => !others.includes(form))));
});

test("the confirmation can be sent again, but not twice in a minute", async () => {
  await using browser = await startSignedIn();
  const profile = await browser.get("/profile");
  expect(readTexts(profile, ["h2"])).toContain("Confirm your e-mail");

  const first = await browser.submit(profile, "Send again");
  expect(first.html).toContain("We e-mailed you a link.");
  const second = await browser.submit(first, "Send again");
  expect(second.html).toContain("We already sent you a link.");

  expect(await readMails(browser.firebase)).toHaveLength(1);
});
