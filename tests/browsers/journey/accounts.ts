import { expect } from "vitest";

import { test } from "../fixtures.ts";
import { button, element, field, heading, link, type Page } from "../page.ts";

const ALERT = element("[role=alert]");

test("a user signs in and signs out", async ({ openPage, person }) => {
  const page = await openPage("/login");
  await submit(page, person.email, person.password);
  await expect.poll(() => page.path()).toBe("/profile");
  await page.seeText(person.email);

  await page.click(button("LogOut"));
  await expect.poll(() => page.path()).toBe("/home");
  await page.open("/profile");
  expect(await page.path()).toBe("/login");
});

test("a wrong password is explained, and the e-mail stays", async ({ openPage, person }) => {
  const page = await openPage("/login");
  await submit(page, person.email, "not the password");
  await expect.poll(() => page.text(ALERT)).toBe("Invalid password");
  expect((await page.find(field("E-mail"))).value).toBe(person.email);
});

test("Sign Up explains an e-mail in use, waits for two equal passwords, and registers", async ({
  openPage,
  person,
}) => {
  const page = await openPage("/register");
  await page.fill(field(/^E-mail/), person.email);
  await page.fill(field(/^Password/), "secret1");
  await page.fill(field(/^Confirm/), "secret2");
  expect((await page.find(button("Register"))).isDisabled).toBe(true);
  await page.fill(field(/^Confirm/), "secret1");
  await page.click(button("Register"));
  await expect.poll(() => page.text(ALERT)).toBe("Email already in use");

  await page.fill(field(/^E-mail/), "new@example.com");
  await page.click(button("Register"));
  await expect.poll(() => page.path()).toBe("/profile");
  await page.seeText("new@example.com");
});

test("a visitor who opens Create signs in, and is led back to it", async ({ openPage, person }) => {
  const page = await openPage("/create");
  expect(await page.path()).toBe("/login");
  await submit(page, person.email, person.password);
  await page.click(link("Continue to Create"));
  await expect.poll(() => page.path()).toMatch(/^\/create/);
});

test("the theme changes at once, and stays on the next page", async ({ openPage }) => {
  const page = await openPage("/home");
  await page.click(button("Use dark theme"));
  const getColor = () =>
    page.call(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.see(button("Use device theme"));
  // Leaving the page earlier would abort the request.
  await page.waitForData();
  const dark = await getColor();
  await page.open("/login");
  await page.see(heading("Sign In"));
  expect(await getColor()).toBe(dark);
  await page.click(button("Use device theme"));
  await expect.poll(getColor).not.toBe(dark);
});

async function submit(page: Page, email: string, password: string): Promise<void> {
  await page.fill(field("E-mail"), email);
  await page.fill(field("Password"), password);
  await page.click(button("Login"));
}
