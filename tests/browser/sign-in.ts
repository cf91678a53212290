import type { Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect } from "./fixtures.ts";

type Credentials = Pick<TestAccount, "email" | "password">;

/** Signs in with the form, and waits for the profile. */
export async function signIn(page: Page, person: Credentials): Promise<void> {
  await page.goto("/login");
  await submitSignIn(page, person);
  await expect(page).toHaveURL("/profile");
}

/** Fills in and submits the form of the open page. */
export async function submitSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Opens a page with a new session, without using the sign-in form. */
export async function openAs(page: Page, person: Credentials, path: string): Promise<void> {
  await startSession(page, person);
  await page.goto(path);
}

/** Starts a new session in the browser of a page or context, and leaves its pages as they are. */
export async function startSession(
  { request }: Pick<Page, "request">,
  { email, password }: Credentials,
): Promise<void> {
  const response = await request.post("/login", {
    form: { email, password },
    headers: { "Sec-Fetch-Site": "same-origin" },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(303);
}
