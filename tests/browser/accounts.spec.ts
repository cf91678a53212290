import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { signIn } from "./sign-in.ts";

const FIELD_ERRORS = [
  { field: "E-mail", typed: {}, error: "Email is required" },
  { field: "E-mail", typed: { "E-mail": "ana" }, error: "Invalid email" },
  { field: "Password", typed: {}, error: "Password is required" },
  {
    field: "Password",
    typed: { Password: "12345" },
    error: "Password must be at least 6 characters",
  },
  { field: "Confirm password", typed: {}, error: "Confirmation is required" },
  {
    field: "Confirm password",
    typed: { Password: "secret1", "Confirm password": "secret" },
    error: "Passwords do not match",
  },
  {
    field: "Confirm password",
    typed: { Password: "secret1" },
    error: "Confirmation is required Passwords do not match",
  },
];

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeAccounts();
  describeWithScripts();

  test("each field shows its error after leaving it, and no other error", async ({ page }) => {
    for (const { field, typed, error } of FIELD_ERRORS) {
      await page.goto("/register");
      const input = page.getByLabel(field, { exact: true });
      for (const [name, value] of Object.entries(typed)) {
        await page.getByLabel(name, { exact: true }).fill(value);
      }
      await input.focus();
      await expect(input).toHaveAccessibleDescription("");

      await input.blur();

      await expect(input).toHaveAccessibleDescription(error);
      await expect(page.locator("[aria-invalid]")).toHaveCount(1);
    }
  });

  test("a field's error disappears when it is fixed", async ({ page }) => {
    await page.goto("/register");
    const email = page.getByLabel("E-mail");
    await email.pressSequentially("ana");
    await expect(email).toHaveAccessibleDescription("");
    await page.getByLabel("Password", { exact: true }).focus();
    await expect(email).toHaveAccessibleDescription("Invalid email");

    await email.fill("ana@example.com");

    await expect(email).toHaveAccessibleDescription("");
  });

  test("an invalid form validates every field, focuses the first error and sends nothing", async ({
    page,
  }) => {
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(request.url());
    });
    await page.goto("/register");

    await page.getByRole("button", { name: "Register" }).click();

    await expectFieldErrors(page, {
      email: "Email is required",
      password: "Password is required",
      confirmation: "Confirmation is required",
    });
    await expect(page.getByLabel("E-mail")).toBeFocused();
    expect(posts).toEqual([]);
  });

  test("only passwords that differ disable Register, with an explanation", async ({ page }) => {
    await page.goto("/register");
    const button = page.getByRole("button", { name: "Register" });
    await expect(button).toBeEnabled();

    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription("Repeat the password above to continue.");

    await page.getByLabel("Confirm password").fill("secret1");
    await expect(button).toBeEnabled();

    // Other errors do not disable the button.
    for (const password of ["12345", ""]) {
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByLabel("Confirm password").fill(password);
      await expect(button).toBeEnabled();
    }
  });

  for (const [when, fill] of [
    ["before scripts run", fillEarly],
    ["after the page has loaded", fillLate],
  ] as const) {
    test(`accepts a password manager that fills both screens ${when}`, async ({ page }, {
      testId,
    }) => {
      const values = { username: `${testId}@example.com`, password: "secret1" };
      await fill(page, "/register", values);
      await expect(page.getByRole("button", { name: "Register" })).toBeEnabled();
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page).toHaveURL("/profile");
      await page.context().clearCookies();

      await fill(page, "/login", values);
      await page.getByRole("button", { name: "Login" }).click();
      await expect(page).toHaveURL("/profile");
    });
  }

  test("every password can be shown and hidden", async ({ page }) => {
    for (const path of ["/login", "/register"]) {
      await page.goto(path);
      const passwords = page.locator('input[name$="assword"]');
      for (const password of await passwords.all()) {
        await password.fill("secret1");
        const label = await password.evaluate((input: HTMLInputElement) =>
          input.labels?.[0]?.textContent?.toLowerCase(),
        );

        await page.getByRole("button", { name: `Show ${label}`, exact: true }).click();
        await expect(password).toHaveAttribute("type", "text");
        await page.getByRole("button", { name: `Hide ${label}`, exact: true }).click();
        await expect(password).toHaveAttribute("type", "password");
        await expect(password).toHaveValue("secret1");
      }
    }
  });

  test("Sign In is accessible with an error, with a visible password, and when signed in", async ({
    page,
    person,
  }) => {
    await attempt(page, person.email, "not the password");
    await expect(page.getByRole("alert")).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByRole("button", { name: "Show password" }).click();
    await expectAccessible(page);

    await signIn(page, person);
    await page.goto("/login");
    await expect(page.getByText("You're signed in as")).toBeVisible();
    await expectAccessible(page);
  });

  test("Sign Up is accessible with every error, and while the passwords differ", async ({
    page,
  }) => {
    await page.goto("/register");

    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("Email is required")).toBeVisible();
    await expectAccessible(page);

    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await expect(page.getByRole("button", { name: "Register" })).toBeDisabled();
    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeAccounts();
});

/** Tests that also run in Vitest, without JavaScript. */
function describeWithScripts() {
  test("a wrong password is explained, and the e-mail stays", async ({ page, person }) => {
    await attempt(page, person.email, "not the password");

    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("not the password");
  });

  test("a taken e-mail is explained, and stays in the form with the passwords", async ({
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
    const passwords = page.locator('input[name$="assword"]');
    for (const password of await passwords.all()) {
      await expect(password).toHaveValue("secret1");
    }
    await expect(page.getByRole("button", { name: "Register" })).toBeEnabled();
  });

  test("Sign In explains why Create led there", async ({ page }) => {
    await page.goto("/home");
    await page.getByRole("link", { name: "Create" }).click();

    await expect(page).toHaveURL("/login");
    await expect(page.getByText("Sign in to write.")).toBeVisible();
    await page.context().clearCookies();
    await page.goto("/login");
    await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
    await expect(page.getByText("Sign in to write.")).toBeHidden();
  });

  test("a reset keeps the typed e-mail", async ({ page, person }) => {
    await page.goto("/login");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByRole("button", { name: "Forgot your password?" }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reset your password");
    await expect(page).toHaveURL("/login?reset=1");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    expect(await page.content()).not.toContain("secret1");
  });

  test("a new error replaces the last one", async ({ page, person }) => {
    await attempt(page, person.email, "not the password");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");

    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByRole("button", { name: "Login" }).click();

    await expect(page.getByRole("alert")).toHaveText("User not found");
  });

  test("an empty Sign In form is sent to the provider", async ({ page }) => {
    await attempt(page, "", "");

    await expect(page.getByRole("alert")).toHaveText(
      "Firebase: The email address is badly formatted. (auth/invalid-email).",
    );
  });
}

/** Tests that run with and without JavaScript. */
function describeAccounts() {
  test("the focus goes to the first invalid field", async ({ page }) => {
    await page.goto("/register");
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByLabel("Password", { exact: true }).fill("12345");
    await page.getByLabel("Confirm password").fill("12345");
    await page.getByRole("button", { name: "Register" }).click();

    await expectFieldErrors(page, {
      email: "",
      password: "Password must be at least 6 characters",
      confirmation: "",
    });
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  });

  test("a user registers, signs out and signs in again", async ({ page }, { testId }) => {
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
}

async function attempt(page: Page, email: string, password: string) {
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

interface Credentials {
  username: string;
  password: string;
}

/** Acts as a password manager that fills fields when they appear, without events. */
async function fillEarly(page: Page, path: string, values: Credentials) {
  await page.addInitScript((credentials) => {
    const fill = () => {
      for (const input of document.querySelectorAll<HTMLInputElement>("main input")) {
        if (input.value || !input.autocomplete) continue;
        input.value = input.type === "password" ? credentials.password : credentials.username;
      }
    };
    const observer = new MutationObserver(fill);
    observer.observe(document, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", () => observer.disconnect());
  }, values);
  await page.goto(path);
}

/** Acts as a password manager that fills fields on a click, with the events of typing. */
async function fillLate(page: Page, path: string, { username, password }: Credentials) {
  await page.goto(path);
  for (const input of await page.getByRole("main").locator("input[autocomplete]").all()) {
    const value = (await input.getAttribute("type")) === "password" ? password : username;
    await input.evaluate((field: HTMLInputElement, typed) => {
      field.value = typed;
      for (const type of ["input", "change"]) {
        field.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }, value);
  }
}

interface FieldErrors {
  email: string;
  password: string;
  confirmation: string;
}

async function expectFieldErrors(page: Page, { email, password, confirmation }: FieldErrors) {
  await expect(page.getByLabel("E-mail")).toHaveAccessibleDescription(email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(password);
  await expect(page.getByLabel("Confirm password")).toHaveAccessibleDescription(confirmation);
}
