import { expect, test } from "vitest";

import {
  expectValue,
  hasLink,
  readAlerts,
  readTexts,
  startPlainBrowser,
} from "#tests/support/plain-browser.ts";

const TEXTS = ["h1", "label", "button", "a"];

test("both screens have the specification's texts in its order", async () => {
  await using browser = await startPlainBrowser();
  const isOwn = (text: string) => !text.startsWith("Show");

  const signIn = await browser.get("/login");
  expect(signIn.html).toContain("<title>Sign In · Inkglade</title>");
  expect(readTexts(signIn, TEXTS).filter(isOwn)).toEqual([
    "Sign In",
    "E-mail",
    "Password",
    "Login",
    "Forgot your password?",
    "Continue with google",
    "Don't have an account?",
  ]);

  const signUp = await browser.get("/register");
  expect(signUp.html).toContain("<title>Sign Up · Inkglade</title>");
  expect(readTexts(signUp, TEXTS).filter(isOwn)).toEqual([
    "Sign Up",
    "E-mail",
    "Password",
    "Confirm password",
    "Register",
    "Continue with google",
    "Already have an account?",
  ]);
});

test("the profile shows the name, and Sign In shows signed-in users that they are signed in", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount({ displayName: "Robin Vale" });

  const profile = await browser.post("/login", { email, password });
  expect(profile.path).toBe("/profile");
  expect(readTexts(profile, ["main"]).join()).toContain("Robin Vale");

  const signIn = await browser.get("/login");
  expect(readTexts(signIn, ["main"]).join()).toContain(`You're signed in as ${email}.`);
});

test("a wrong password is explained, the e-mail stays, and a new error replaces the last one", async () => {
  await using browser = await startPlainBrowser();
  const { email } = await browser.firebase.addAccount();

  const wrong = await browser.post("/login", { email, password: "not the password" });
  expect(readAlerts(wrong)).toEqual(["Invalid password"]);
  expectValue(wrong, "email", email);
  expectValue(wrong, "password", "");
  expect(wrong.html).not.toContain("not the password");

  const unknown = await browser.post("/login", {
    email: "nobody@example.com",
    password: "secret1",
  });
  expect(readAlerts(unknown)).toEqual(["User not found"]);
});

test("an empty Sign In form is sent to the provider", async () => {
  await using browser = await startPlainBrowser();

  const page = await browser.post("/login", { email: "", password: "" });

  expect(readAlerts(page)).toEqual([
    "Firebase: The email address is badly formatted. (auth/invalid-email).",
  ]);
});

test("a taken address is explained, and the e-mail stays", async () => {
  await using browser = await startPlainBrowser();
  const { email } = await browser.firebase.addAccount();
  const form = { email, password: "secret1", confirmPassword: "secret1" };

  const page = await browser.post("/register", form);

  expect(readAlerts(page)).toEqual(["Email already in use"]);
  expectValue(page, "email", email);
  expectValue(page, "password", "");
  expectValue(page, "confirmPassword", "");
});

test("the server explains every error of a form, and the e-mail stays", async () => {
  await using browser = await startPlainBrowser();
  const form = { email: "ana", password: "12345", confirmPassword: "123456" };

  const page = await browser.submit(await browser.get("/register"), "Register", form);

  expect(page.html).toContain("Invalid email");
  expect(page.html).toContain("Password must be at least 6 characters");
  expect(page.html).toContain("Passwords do not match");
  expectValue(page, "email", "ana");
  expectValue(page, "password", "");
});

test.each([
  ["/create", "Sign in to write."],
  ["/login?returnTo=/home%23room&reason=chat", "Sign in to chat."],
  ["/login?returnTo=/home&reason=follow", "Sign in to follow writers."],
  ["/login?returnTo=/home&reason=thank", "Sign in to thank the writer."],
])("Sign In explains why %s led there", async (path, reason) => {
  await using browser = await startPlainBrowser();

  const page = await browser.get(path);
  expect(page.path).toBe("/login");
  expect(readTexts(page, ["h1", "p"]).slice(0, 2)).toEqual(["Sign In", reason]);

  browser.clearCookies();
  expect((await browser.get("/login")).html).not.toContain(reason);
});

test("Sign In shows no reason that it doesn't know", async () => {
  await using browser = await startPlainBrowser();

  const page = await browser.get("/login?returnTo=/home&reason=Sign+in+to+win.");

  expect(page.path).toBe("/login");
  expect(readTexts(page, ["h1", "p"])).toEqual(["Sign In", "Don't have an account?"]);
});

test("a reset keeps the typed e-mail, and never returns the password", async () => {
  await using browser = await startPlainBrowser();
  const { email } = await browser.firebase.addAccount();
  const form = { intent: "forgot", email, password: "secret1" };

  const page = await browser.post("/login?reset=1", form);

  expect(page.path).toBe("/login?reset=1");
  expect(readTexts(page, ["h1"])).toEqual(["Reset your password"]);
  expectValue(page, "email", email);
  expect(page.html).not.toContain("secret1");
});

test("the sixth sign-in in a minute is rejected with the provider's message", async () => {
  await using browser = await startPlainBrowser();
  const { email } = await browser.firebase.addAccount();

  for (let tries = 0; tries < 5; tries += 1) {
    const page = await browser.post("/login", { email, password: "secret1" });
    expect(readAlerts(page)).toEqual(["Invalid password"]);
  }
  const sixth = await browser.post("/login", { email, password: "secret1" });
  expect(readAlerts(sixth).join()).toContain("auth/too-many-requests");
  expect(sixth.html).toContain("Too many attempts. Wait a few minutes,");
});

test("after Sign In the profile offers the page that required it, once", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();
  await browser.get("/create");
  const wrong = await browser.post("/login", { email, password: "not the password" });
  expect(readAlerts(wrong)).toEqual(["Invalid password"]);

  const profile = await browser.post("/login", { email, password });
  expect(profile.path).toBe("/profile");
  expect(hasLink(profile, "Continue to Create", "/create")).toBe(true);

  const again = await browser.get("/profile");
  expect(again.html).toContain(email);
  expect(again.html).not.toContain("Continue to");
});

test("the profile offers nothing without a page to return to", async () => {
  await using browser = await startPlainBrowser();
  const { email, password } = await browser.firebase.addAccount();

  const profile = await browser.post("/login", { email, password });

  expect(profile.html).toContain(email);
  expect(profile.html).not.toContain("Continue to");
});

test("the page that required it is offered after Sign Up too", async () => {
  await using browser = await startPlainBrowser();
  const signIn = await browser.get("/create");
  expect(hasLink(signIn, "Don't have an account?", "/register")).toBe(true);
  await browser.get("/register");

  const form = { email: "new@example.com", password: "secret1", confirmPassword: "secret1" };
  const profile = await browser.post("/register", form);
  expect(profile.path).toBe("/profile");
  expect(hasLink(profile, "Continue to Create", "/create")).toBe(true);
  expect((await browser.get("/create")).path).toBe("/create");
});

test("a page with a code from an e-mail tells no page what its address is", async () => {
  await using browser = await startPlainBrowser();
  const open = (path: string) => browser.handle(new Request(`http://localhost${path}`));

  const { headers } = await open("/login?mode=verifyEmail&oobCode=secret");

  expect(headers.get("Referrer-Policy")).toBe("strict-origin");
});
