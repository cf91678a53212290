import { expect, test } from "vitest";

import { RoomLink } from "#app/chat/dock/room-link.tsx";
import { ProfileCard } from "#app/profile/profile-screen.tsx";
import { Shell } from "#app/site/shell/shell.tsx";
import { getHtmlThemeProps, ThemeSwitch } from "#app/site/theme/theme.tsx";
import { getAttribute, renderPage } from "#tests/ui/render.tsx";

const ada = { uid: "1", email: "ada@example.com", displayName: null, photoURL: null };

test("the first link skips to the content", () => {
  const html = renderPage(
    "/home",
    <Shell user={null} theme="light" roomLink={<RoomLink uid={undefined} />} room={null}>
      Stories
    </Shell>,
  );

  expect(html).toMatch(/<a[^>]*href="#page">Skip to content<\/a>/);
  expect(html.indexOf("#page")).toBe(html.indexOf("href=") + 'href="'.length);
  expect(getAttribute(html, /^<main/, "id")).toBe("page");
  expect(getAttribute(html, /^<main/, "tabindex")).toBe("-1");
});

test("marks only the current page", () => {
  const html = renderPage(
    "/create",
    <Shell user={ada} theme="light" roomLink={<RoomLink uid={undefined} />} room={null}>
      Stories
    </Shell>,
  );

  expect(html.match(/aria-current="page"[^>]*>/g)).toHaveLength(1);
  expect(getAttribute(html, /aria-current="page"/, "href")).toBe("/create");
});

test.each([
  [null, "Sign in", "/login"],
  [ada, "Profile", "/profile"],
])("the navigation for the user %o shows %s", (user, name, href) => {
  const html = renderPage(
    "/home",
    <Shell user={user} theme="light" roomLink={<RoomLink uid={undefined} />} room={null}>
      Stories
    </Shell>,
  );

  expect(html).toMatch(new RegExp(`href="${href}"[^>]*>${name}</a>`));
});

test.each([
  ["system", ["dark", "light"]],
  ["light", ["dark", "system"]],
  ["dark", ["system", "light"]],
] as const)(
  "the theme switch goes from %s to what looks different on a light and on a dark device",
  (now, expected) => {
    const html = renderPage("/read/7", <ThemeSwitch theme={now} returnTo="/read/7" />);

    const [, forLight = "", forDark = ""] = html.split("<form");
    for (const [index, form] of [forLight, forDark].entries()) {
      const next = expected[index];
      expect(form).toContain('action="/theme"');
      expect(getAttribute(form, /name="theme"/, "value")).toBe(next);
      expect(getAttribute(form, /name="returnTo"/, "value")).toBe("/read/7");
      expect(getAttribute(form, /<button/, "aria-label")).toContain(
        next === "system" ? "device" : next,
      );
    }
  },
);

test("the theme switch redirects back with the query, and the page stays marked as current", () => {
  const html = renderPage(
    "/home?q=rain",
    <Shell user={null} theme="light" roomLink={<RoomLink uid={undefined} />} room={null}>
      Stories
    </Shell>,
  );

  expect(getAttribute(html, /name="returnTo"/, "value")).toBe("/home?q=rain");
  expect(html.match(/aria-current="page"[^>]*>/g)).toHaveLength(1);
});

test("only the dark theme sets the class, and only the system theme sets the attribute", () => {
  expect(getHtmlThemeProps("light")).toEqual({});
  expect(getHtmlThemeProps("dark")).toEqual({ className: "dark-theme" });
  expect(getHtmlThemeProps("system")).toEqual({ "data-theme": "system" });
});

test("shows that a profile has no name or photo, and LogOut works without JavaScript", () => {
  const html = renderPage("/profile", <ProfileCard user={ada} />);

  expect(html).toContain("ada@example.com");
  expect(html).toContain("Not set");
  expect(html).not.toContain("<img");
  expect(getAttribute(html, /^<form/, "action")).toBe("/logout");
  expect(html).toContain("LogOut</button>");
});
