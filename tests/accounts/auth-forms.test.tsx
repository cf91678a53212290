import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";

import { signUpSchema } from "#app/accounts/credentials-schema.ts";
import { SignInForm } from "#app/accounts/login-screen.tsx";
import { SignUpForm } from "#app/accounts/sign-up-form.tsx";
import { findTag, getAttribute, readElement, renderPage } from "#tests/ui/render.tsx";

test("Sign In posts to its own URL and leaves validation to the provider", () => {
  const html = renderPage("/login", <SignInForm isPending={false} />);

  expect(html).toContain(">Sign In</h1>");
  expect(getAttribute(html, /^<form/, "method")).toBe("post");
  expect(getAttribute(html, /^<form/, "action")).toBe("/login");
  expect(findTag(html, /^<form/)).toMatch(/\snovalidate/i);
  expect(html).not.toMatch(/<input[^>]*\srequired[\s=>]/);
  expect(html).toMatch(/<a[^>]* href="\/register"[^>]*>Don&#x27;t have an account\?<\/a>/);
});

test("Sign In keeps the e-mail after an error, but never the password", () => {
  const html = renderPage(
    "/login",
    <SignInForm
      isPending={false}
      email="ada@example.com"
      banner={{ message: "Invalid password", hint: "Try again." }}
    />,
  );

  expect(html).toContain('<div role="alert">Invalid password</div>');
  expect(getAttribute(html, /name="email"/, "value")).toBe("ada@example.com");
  expect(getAttribute(html, /name="password"/, "value")).toBeNull();
});

test("a hint about resetting the password has a link to it", () => {
  const hint = "Check the e-mail and the password, or reset your password.";
  const banner = { message: "Login failed", hint };

  const html = renderPage("/login", <SignInForm isPending={false} banner={banner} />);

  expect(html.replaceAll("<!-- -->", "")).toMatch(
    /Check the e-mail and the password, or <a[^>]* href="\/login\?reset=1"[^>]*>reset your password<\/a>\./,
  );
});

test("hides the last error and shows a pending button while submitting", () => {
  const html = renderPage("/login", <SignInForm isPending banner={{ message: "Login failed" }} />);

  expect(html).not.toContain('role="alert"');
  expect(getAttribute(html, /^<button[^>]*aria-busy/, "aria-busy")).toBe("true");
});

test("Google's button is in a form without the password", () => {
  const html = renderPage("/login", <SignInForm isPending={false} />);
  const form = html.split("<form").find((part) => part.includes("Continue with google"));

  expect(form).toMatch(/method="post" action="\/auth\/google"/);
  expect(form).toMatch(/name="screen" value="sign-in"/);
  expect(form).not.toContain("password");
});

test("Sign Up can be submitted without JavaScript even when the passwords differ", () => {
  const html = renderPage("/register", <SignUpForm isPending={false} />);

  expect(html).toContain(">Sign Up</h1>");
  expect(findTag(html, /^<form/)).toMatch(/\snovalidate/i);
  expect(html).not.toMatch(/<input[^>]*\srequired[\s=>]/);
  expect(findTag(html, /^<button[^>]*data-variant="primary"/)).not.toMatch(/\sdisabled/);
  expect(html).toMatch(/<a[^>]* href="\/login"[^>]*>Already have an account\?<\/a>/);
});

test("Sign Up shows every server error, keeps the e-mail and clears the passwords", () => {
  const html = renderPage(
    "/register",
    <SignUpForm isPending={false} lastResult={submit({ email: "ada", password: "short" })} />,
  );

  expect(readElement(html, "sign-up-email-error")).toBe("Invalid email");
  expect(readElement(html, "sign-up-password-error")).toBe(
    "Password must be at least 6 characters",
  );
  expect(readElement(html, "sign-up-confirmPassword-error")).toBe(
    "Confirmation is required Passwords do not match",
  );
  expect(getAttribute(html, /name="email"/, "aria-describedby")).toBe("sign-up-email-error");
  expect(getAttribute(html, /name="email"/, "value")).toBe("ada");
  expect(getAttribute(html, /name="password"/, "value")).toBe("");
});

test("shows signed-in users their e-mail, and lets them use the form", () => {
  const account = { uid: "1", email: "ada@example.com", displayName: null, photoURL: null };
  const html = renderPage("/register", <SignUpForm isPending={false} user={account} />);

  expect(html.replaceAll("<!-- -->", "")).toContain("You&#x27;re signed in as ada@example.com.");
  expect(getAttribute(html, /^<a[^>]*\/profile/, "href")).toBe("/profile");
});

/** Returns the action's result for a form. */
function submit(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return parseWithZod(form, { schema: signUpSchema }).reply({
    hideFields: ["password", "confirmPassword"],
  });
}
