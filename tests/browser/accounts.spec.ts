import type { Page } from "@playwright/test";

import { readLink } from "#tests/support/mail.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { signIn, submitSignIn } from "./sign-in.ts";

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

/** What a new password needs, which is said before any mistake. */
const PASSWORD_HINT = "At least 6 characters.";

const SHORT_PASSWORD: FieldErrors = {
  email: "",
  password: "Password must be at least 6 characters",
  confirmation: "",
};

test.describe("with JavaScript", () => {
  test("a visitor who opened Create is offered it once after signing up or signing in", async ({
    page,
    app,
  }, { testId }) => {
    const person = { email: `${testId}@example.com`, password: "secret1" };
    const continueLink = page.getByRole("link", { name: "Continue to Create" });
    await page.goto("/about");
    await followCreateLink(page);
    await page.getByRole("link", { name: "Don't have an account?" }).click();
    await expect(page).toHaveURL("/register");
    await submitSignUp(page, person.email, person.password);

    await expect(page).toHaveURL("/profile");
    await expect(page.getByText(person.email)).toBeVisible();
    await expect(continueLink).toBeVisible();
    await expectAccessible(page);
    await continueLink.click();
    await expect(page).toHaveURL("/create");
    await page.goto(await readLink(app.firebase, person.email));
    await page.getByRole("button", { name: "Confirm e-mail" }).click();
    await expect(page).toHaveURL("/profile");
    await expect(page.getByText("Your e-mail has been confirmed.")).toBeVisible();
    await expect(page.getByText(person.email)).toBeVisible();
    await expect(continueLink).toBeHidden();

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    await page.goto("/profile");
    await expect(page).toHaveURL("/login");

    await followCreateLink(page);
    await submitSignIn(page, { ...person, password: "not the password" });
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await submitSignIn(page, person);
    await expect(page).toHaveURL("/profile");
    await expect(continueLink).toBeVisible();
    await page.reload();
    await expect(page.getByText(person.email)).toBeVisible();
    await expect(continueLink).toBeHidden();
  });

  test("Sign In keeps what was typed after an error, and shows only the last error", async ({
    page,
    person,
  }) => {
    const alert = page.getByRole("alert");
    const password = page.getByLabel("Password", { exact: true });
    await page.goto("/login");
    // An empty form is sent to the provider too.
    await submitSignIn(page, { email: "", password: "" });
    await expect(alert).toHaveText(
      "Firebase: The email address is badly formatted. (auth/invalid-email).",
    );

    await submitSignIn(page, { ...person, password: "not the password" });
    await expect(alert).toHaveText("Invalid password");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    await expect(password).toHaveValue("not the password");
    await password.fill("secret1");
    await page.getByRole("button", { name: "Show password" }).click();
    await expectAccessible(page);

    await submitSignIn(page, { email: "nobody@example.com", password: "secret1" });
    await expect(alert).toHaveText("User not found");

    await submitSignIn(page, person);
    await expect(page).toHaveURL("/profile");
    await page.goto("/login");
    await expect(page.getByText("You're signed in as")).toBeVisible();
    await expectAccessible(page);
  });

  test("fields say what they require, can be shown, and have only their own error", async ({
    page,
  }) => {
    for (const path of ["/login", "/register"]) {
      await test.step(`${path} says which fields are required, and shows every password`, async () => {
        await page.goto(path);
        for (const field of await page.locator("main input[autocomplete]").all()) {
          await expect(field).toHaveAttribute("aria-required", "true");
        }
        await showAndHidePasswords(page);
      });
    }
    await expect(page.getByText("All fields are required.")).toBeVisible();
    await expect(page.getByText(PASSWORD_HINT)).toBeVisible();

    await test.step("each field shows its error after leaving it, and no other error", async () => {
      const form = page.locator("form", { has: page.getByLabel("E-mail") });
      await form.evaluate((element: HTMLFormElement) => element.reset());
      for (const { field, typed, error } of FIELD_ERRORS) {
        const hint = field === "Password" ? PASSWORD_HINT : "";
        const input = page.getByLabel(field, { exact: true });
        for (const [name, value] of Object.entries(typed)) {
          await page.getByLabel(name, { exact: true }).fill(value);
        }
        await input.focus();
        await expect(input).toHaveAccessibleDescription(hint);

        await input.blur();

        await expect(input).toHaveAccessibleDescription(`${hint} ${error}`.trim());
        await expect(page.locator("[aria-invalid]")).toHaveCount(1);

        // Conform forgets which fields were left, as after a page load.
        await form.evaluate((element: HTMLFormElement) => element.reset());
        await expect(page.locator("[aria-invalid]")).toHaveCount(0);
      }
    });
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
    await expectAccessible(page);

    await submitSignUp(page, "ana@example.com", "12345");
    await expectFieldErrors(page, SHORT_PASSWORD);
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    expect(posts).toEqual([]);
  });

  test("Register is disabled only while the passwords differ", async ({ page, person }) => {
    const email = page.getByLabel("E-mail");
    const password = page.getByLabel("Password", { exact: true });
    const confirmation = page.getByLabel("Confirm password");
    const button = page.getByRole("button", { name: "Register" });
    await page.goto("/register");
    await email.pressSequentially("ana");
    await expect(email).toHaveAccessibleDescription("");
    await password.focus();
    await expect(email).toHaveAccessibleDescription("Invalid email");
    await expect(button).toBeEnabled();
    await email.fill(person.email);
    await expect(email).toHaveAccessibleDescription("");

    await password.fill("secret1");
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription("Repeat the password above to continue.");
    await expectAccessible(page);
    await confirmation.fill("secret1");
    await expect(button).toBeEnabled();

    // Other errors do not disable the button.
    for (const value of ["12345", ""]) {
      await password.fill(value);
      await confirmation.fill(value);
      await expect(button).toBeEnabled();
    }
    await submitSignUp(page, person.email, "secret1");
    await expect(page.getByRole("alert")).toHaveText("Email already in use");
    await expect(email).toHaveValue(person.email);
    await expect(password).toHaveValue("secret1");
    await expect(confirmation).toHaveValue("secret1");
    await expect(button).toBeEnabled();
  });

  test("accepts a password manager that fills both screens, before or after scripts run", async ({
    page,
  }, { testId }) => {
    for (const [when, fill] of [
      ["after", fillLate],
      ["before", fillEarly],
    ] as const) {
      await test.step(`${when} scripts run`, async () => {
        const values = { username: `${when}-${testId}@example.com`, password: "secret1" };
        await fill(page, "/register", values);
        await expect(page.getByRole("button", { name: "Register" })).toBeEnabled();
        await page.getByRole("button", { name: "Register" }).click();
        await expect(page).toHaveURL("/profile");
        await page.context().clearCookies();

        await fill(page, "/login", values);
        await page.getByRole("button", { name: "Login" }).click();
        await expect(page).toHaveURL("/profile");
        await page.context().clearCookies();
      });
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a user registers, with the focus on the first invalid field, signs out and signs in again", async ({
    page,
  }, { testId }) => {
    const person = { email: `${testId}@example.com`, password: "secret1" };
    await page.goto("/login");
    await page.getByRole("link", { name: "Don't have an account?" }).click();
    await expect(page).toHaveURL("/register");
    await submitSignUp(page, "ana@example.com", "12345");
    await expectFieldErrors(page, SHORT_PASSWORD);
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    await submitSignUp(page, person.email, person.password);

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
});

/** Follows the link in the header, and expects Sign In to explain why it opens. */
async function followCreateLink(page: Page) {
  await page.getByRole("navigation").getByRole("link", { name: "Create" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByText("Sign in to write.")).toBeVisible();
}

async function showAndHidePasswords(page: Page) {
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

async function submitSignUp(page: Page, email: string, password: string) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Register" }).click();
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
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(
    `${PASSWORD_HINT} ${password}`.trim(),
  );
  await expect(page.getByLabel("Confirm password")).toHaveAccessibleDescription(confirmation);
}

test.describe("where cookies are blocked", () => {
  test("Sign Up says so before an account is created, and Sign In when the session was lost", async ({
    page,
    context,
    person,
  }) => {
    const sentence = page.getByText("Your browser blocks cookies.");
    await page.route("**/*", async (route) => {
      await context.clearCookies();
      await route.fallback();
    });
    await page.goto("/login");
    await expect(sentence).toBeHidden();
    await submitSignIn(page, person);
    await expect(sentence).toBeVisible();
    await expectAccessible(page);

    await page.addInitScript(() => {
      Object.defineProperty(navigator, "cookieEnabled", { get: () => false });
    });
    await page.goto("/register");
    await expect(sentence).toBeVisible();
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a secret");
    await page.getByLabel("Confirm password").fill("a secret");
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(request.url());
    });
    await page.getByRole("button", { name: "Register" }).click();
    await page.goto("/login");
    await expect(sentence).toBeVisible();
    expect(posts).toEqual([]);
  });
});
