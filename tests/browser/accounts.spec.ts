import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { signIn } from "./sign-in.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeAccounts();

  test("nothing is said about a field before it was left", async ({ page }) => {
    await page.goto("/register");
    const email = page.getByLabel("E-mail");

    await email.pressSequentially("ana");
    await expect(email).toHaveAccessibleDescription("");

    await page.getByLabel("Password", { exact: true }).focus();
    await expect(email).toHaveAccessibleDescription("Invalid email");

    await email.fill("ana@example.com");
    await expect(email).toHaveAccessibleDescription("");
  });

  test("an invalid form touches everything, goes to the first fault and calls nobody", async ({
    page,
  }) => {
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(request.url());
    });
    await page.goto("/register");

    await page.getByRole("button", { name: "Register" }).click();

    await expectFaults(page, {
      email: "Email is required",
      password: "Password is required",
      confirmation: "Confirmation is required",
    });
    await expect(page.getByLabel("E-mail")).toBeFocused();
    expect(posts).toEqual([]);
  });

  test("only the mismatch disables Register, and says why", async ({ page }) => {
    await page.goto("/register");
    const button = page.getByRole("button", { name: "Register" });
    await expect(button).toBeEnabled();

    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription("Repeat the password above to continue.");

    await page.getByLabel("Confirm password").fill("secret1");
    await expect(button).toBeEnabled();
  });

  test("a password can be looked at", async ({ page }) => {
    await page.goto("/login");
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("secret1");

    await page.getByRole("button", { name: "Show password" }).click();

    await expect(password).toHaveAttribute("type", "text");
  });

  test("offline, an attempt keeps what was typed and says so", async ({ page, allowError }) => {
    allowError(/ERR_INTERNET_DISCONNECTED/);
    await page.goto("/login");
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.context().setOffline(true);

    await page.getByRole("button", { name: "Login" }).click();

    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");
  });

  test("both screens are accessible, at rest and with faults", async ({ page }) => {
    for (const [path, button] of [
      ["/login", "Login"],
      ["/register", "Register"],
    ] as const) {
      await page.goto(path);
      await expectAccessible(page);
      await page.getByRole("button", { name: button }).click();
      await expect(page.locator("[aria-invalid], [role=alert]").first()).toBeVisible();
      await expectAccessible(page);
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeAccounts();

  test("the server explains every fault and keeps the e-mail", async ({ page }) => {
    await page.goto("/register");
    await page.getByLabel("E-mail").fill("ana");
    await page.getByLabel("Password", { exact: true }).fill("12345");
    await page.getByLabel("Confirm password").fill("123456");
    await page.getByRole("button", { name: "Register" }).click();

    await expectFaults(page, {
      email: "Invalid email",
      password: "Password must be at least 6 characters",
      confirmation: "Passwords do not match",
    });
    await expect(page.getByLabel("E-mail")).toHaveValue("ana");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  });
});

/** What accounts promise with and without JavaScript. */
function describeAccounts() {
  test("somebody registers, is known, leaves, and comes back", async ({ page }, { testId }) => {
    const person = { email: `${testId}@example.com`, password: "secret1" };
    await page.goto("/login");
    await page.getByRole("link", { name: "Don't have an account?" }).click();
    await expect(page).toHaveURL("/register");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByLabel("Confirm password").fill(person.password);
    await page.getByRole("button", { name: "Register" }).click();

    await expect(page).toHaveURL("/profile");
    await expect(page.getByText(person.email)).toBeVisible();
    await page.reload();
    await expect(page.getByText(person.email)).toBeVisible();

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    await page.goto("/profile");
    await expect(page).toHaveURL("/login");

    await signIn(page, person);
  });

  test("a name is shown on the profile", async ({ page, person }) => {
    await signIn(page, person);

    await expect(page.getByText(person.displayName)).toBeVisible();
  });

  test("a wrong password is explained and the e-mail is kept", async ({ page, person }) => {
    await attempt(page, person.email, "not the password");

    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  });

  test("one failure replaces the other", async ({ page, person }) => {
    await attempt(page, person.email, "not the password");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");

    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByRole("button", { name: "Login" }).click();

    await expect(page.getByRole("alert")).toHaveText("User not found");
  });

  test("an empty Sign In is the provider's to judge", async ({ page }) => {
    await attempt(page, "", "");

    await expect(page.getByRole("alert")).toHaveText(
      "Firebase: The email address is badly formatted. (auth/invalid-email).",
    );
  });

  test("an address that is taken is explained, and its e-mail is kept", async ({
    page,
    person,
  }) => {
    await page.goto("/register");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByLabel("Confirm password").fill("secret1");
    await page.getByRole("button", { name: "Register" }).click();

    await expect(page.getByRole("alert")).toHaveText("Email already in use");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
  });

  test("whoever is signed in is told so on Sign In", async ({ page, person }) => {
    await signIn(page, person);
    await page.goto("/login");

    await expect(page.getByText(`You are signed in as ${person.email}.`)).toBeVisible();
  });
}

async function attempt(page: Page, email: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

interface Faults {
  email: string;
  password: string;
  confirmation: string;
}

async function expectFaults(page: Page, { email, password, confirmation }: Faults) {
  await expect(page.getByLabel("E-mail")).toHaveAccessibleDescription(email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(password);
  await expect(page.getByLabel("Confirm password")).toHaveAccessibleDescription(confirmation);
}
