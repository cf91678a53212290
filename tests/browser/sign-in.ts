import type { Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect } from "./fixtures.ts";

/** Signs somebody in through the form, and ends at their profile. */
export async function signIn(page: Page, person: Pick<TestAccount, "email" | "password">) {
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL("/profile");
}
