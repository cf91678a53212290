import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { openAs, startSession } from "./sign-in.ts";

/** `--bg` of tokens.css. */
const BACKGROUNDS = { light: "rgb(250, 249, 245)", dark: "rgb(11, 19, 17)" };

test.describe("with JavaScript", () => {
  describeShell();

  test("the first Tab press offers to skip to the content, also after a redirect", async ({
    page,
  }) => {
    await page.goto("/no/such/page");
    await expect(page).toHaveURL("/home");

    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();

    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });

  test("every reading page shows the specification's line, and is accessible without a story", async ({
    page,
  }) => {
    for (const id of ["anything", "%F0%9F%93%96", "1"]) {
      const response = await page.request.get(`/read/${id}`);
      expect(response.status()).toBe(200);
      expect(await response.text()).toContain("reading-page works!");
    }
    const response = await page.goto("/read/%E0%A4%A");
    expect(response?.status()).toBe(200);
    await expect(page.getByRole("heading", { name: "reading-page works!" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(0);
    await expect(page.getByRole("link", { name: /^Room/ })).toBeVisible();
    await expectAccessible(page);
  });

  test("the header of a phone has space for text of any size", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const header = page.getByRole("banner");
    for (const path of ["/home", "/read/the-lamplighters-orchard"]) {
      await page.goto(path);
      for (const size of ["100%", "125%", "150%", "175%", "200%"]) {
        await page.evaluate((value) => {
          document.documentElement.style.fontSize = value;
        }, size);
        const link = await header.getByRole("link", { name: "Sign in" }).boundingBox();
        const button = await header.getByRole("button", { name: /^Use .+ theme$/ }).boundingBox();
        expect(button?.y, size).toBeLessThan((link?.y ?? 0) + (link?.height ?? 0));
      }
      await expect(header.getByRole("button").last()).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    }
  });

  test("the theme changes without leaving the page, and applies to the page shown offline", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
    await openAs(page, person, "/profile");
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    for (const theme of ["dark", "device", "dark"]) {
      // Leaving the page earlier would abort the request.
      const saved = page.waitForEvent("requestfinished", (request) =>
        request.url().endsWith("/profile.data"),
      );
      await page.getByRole("button", { name: `Use ${theme} theme` }).click();
      await saved;
    }
    await expect(page.locator("html")).toHaveClass("dark-theme");
    await expect(page.getByRole("button", { name: "Use device theme" })).toBeVisible();
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);

    await page.getByRole("link", { name: "Inkglade" }).click();
    await expect(page).toHaveURL("/home");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Profile" }).click();

    const title = page.getByRole("heading", { level: 1, name: "You seem to be offline" });
    await expect(title).toBeVisible();
    await expect(page).toHaveTitle("You seem to be offline · Inkglade");
    await expect(page.getByRole("banner").getByRole("link", { name: "Profile" })).toBeVisible();
    await expect(page.locator("html")).toHaveClass("dark-theme");
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "Go to the stories" }).click();
    await expect(page.getByRole("heading", { name: "Explore Trending Stories" })).toBeVisible();
  });

  test("navigation moves the focus without a reload, also after keys during hydration", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        document.body?.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
        if (document.documentElement?.dataset.authLoading !== "false") port2.postMessage(null);
      };
      port2.postMessage(null);
    });
    await page.goto("/home");
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    const announced = page.locator("body > [aria-live=polite]");
    await expect(announced).toHaveText("");
    const bar = page.getByRole("progressbar", { name: "Loading page" });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/login.data*", async (route) => {
      await released;
      await route.continue();
    });

    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await expect(bar).toBeVisible();
    // A fast navigation ends before the bar is drawn.
    expect(await bar.evaluate((element) => getComputedStyle(element).animationDelay)).toBe("0.2s");
    release();
    await expect(page).toHaveURL("/login");
    await expect(bar).toBeHidden();
    await expect(page).toHaveTitle("Sign In · Inkglade");
    await expect(page.getByRole("heading", { level: 1, name: "Sign In" })).toBeFocused();
    await expect(announced).toHaveText("");
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("E-mail")).toBeFocused();

    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByRole("button", { name: "Login" })).toBeFocused();

    await page.goBack();
    await expect(announced).toHaveText("Inkglade · Stories, in good company.");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await page.getByRole("link", { name: "Create" }).click();
    await expect(page).toHaveURL("/login");
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  });

  test("a page stays usable, and opens the room, when its hash is no valid escape", async ({
    page,
    person,
  }) => {
    // In a wide window the room would stay open on the next page.
    await page.setViewportSize({ width: 800, height: 800 });
    await startSession(page, person);
    for (const path of ["/read/the-lamplighters-orchard", "/create", "/profile"]) {
      await page.goto(path);
      await expectHydrated(page);
      await page.evaluate(() => (location.hash = "#100%"));
      if (path.startsWith("/read/")) {
        await expect(page).toHaveURL(/#100%25$/);
        await page.getByRole("link", { name: "Home" }).click();
        await expect(page).toHaveURL("/home");
        await page.goBack();
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(
          "The Lamplighter's Orchard",
        );
      }
      await page.getByRole("link", { name: /^Room/ }).first().click();
      await expect(page.getByPlaceholder("Type a message…")).toBeInViewport();
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeShell();

  // tests/browser/screens.spec.ts has the pages with JavaScript.
  test("no page is wider than a small phone", async ({ page, person }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of ["/profile", "/home", "/login", "/register", "/create", "/read/1"]) {
      if (path === "/profile") await openAs(page, person, path);
      else await page.goto(path);
      const box = await page.locator("html").boundingBox();
      const content = await page.locator("body").evaluate((body) => body.scrollWidth);
      expect(content, path).toBeLessThanOrEqual(box?.width ?? 0);
    }
  });
});

/** Tests that run with and without JavaScript. */
function describeShell() {
  test("looks as the device's theme says, and each press of the theme button changes how", async ({
    page,
    context,
    javaScriptEnabled,
  }) => {
    const html = page.locator("html");
    const themes = [
      ["light", "dark"],
      ["dark", "light"],
    ] as const;
    // The style sheet shows the same buttons with scripts and without.
    for (const [deviceTheme, other] of javaScriptEnabled ? themes : themes.slice(0, 1)) {
      await test.step(`on a ${deviceTheme} device`, async () => {
        await context.clearCookies();
        await page.emulateMedia({ colorScheme: deviceTheme });
        await page.goto("/read/anything");
        await expect(html).toHaveCSS("background-color", BACKGROUNDS[deviceTheme]);
        const presses = [
          [other, other],
          ["device", deviceTheme],
        ] as const;
        for (const [name, look] of javaScriptEnabled ? [...presses, ...presses] : presses) {
          await page.getByRole("button", { name: `Use ${name} theme` }).click();
          await expect(html).toHaveCSS("background-color", BACKGROUNDS[look]);
          await expect(page).toHaveURL("/read/anything");
        }
        await page.emulateMedia({ colorScheme: other });
        await expect(html).toHaveCSS("background-color", BACKGROUNDS[other]);

        await page.getByRole("button", { name: `Use ${deviceTheme} theme` }).click();
        await expect(html).toHaveCSS("background-color", BACKGROUNDS[deviceTheme]);
        await page.emulateMedia({ colorScheme: deviceTheme });
        await page.getByRole("button", { name: `Use ${other} theme` }).click();
        await expect(html).toHaveCSS("background-color", BACKGROUNDS[other]);
      });
    }
  });
}

test("every page says that it is loading, and has each Open Graph property once", async ({
  request,
}) => {
  for (const [path, title] of [
    ["/home", "Inkglade"],
    ["/login", "Sign In"],
    ["/read/1", "Reading"],
    ["/read/the-lamplighters-orchard", "The Lamplighter&#x27;s Orchard"],
  ] as const) {
    const html = await (await request.get(path, asBrowser)).text();
    const properties = Array.from(html.matchAll(/<meta property="([^"]+)"/g), ([, name]) => name);

    expect(html, path).toContain('data-auth-loading="true"');
    expect(properties, path).toEqual([...new Set(properties)]);
    expect(properties).toContain("og:description");
    expect(html).toContain(`<meta property="og:title" content="${title}"/>`);
  }
});

test("unknown pages redirect to /home, guarded ones to Sign In, and missing files are a 404", async ({
  request,
  app,
}) => {
  for (const path of [
    "/",
    "/no/such/page",
    "/quest/the-glass-apiary",
    "/HOME",
    "/home/",
    "//",
    "//foo",
    "/foo.bar",
    "/home//",
    "/%5Cevil.example/x",
  ]) {
    const response = await request.get(app.url + path, asBrowser);
    expect([response.status(), response.url()], path).toEqual([200, `${app.url}/home`]);
  }
  for (const path of ["/profile", "/create"]) {
    const response = await request.get(app.url + path, asBrowser);
    expect([response.status(), response.url()], path).toEqual([200, `${app.url}/login`]);
  }
  for (const path of ["/read/x.epub", "/favicon.ico", "/assets/nope.svg", "/assets//nope.svg"]) {
    expect((await request.get(app.url + path, asBrowser)).status(), path).toBe(404);
  }
});

test("redirects, JSON and data have security headers, as pages do", async ({ request }) => {
  for (const path of [
    "/",
    "/profile",
    "/reading-positions?story=x",
    "/home.data",
    "/nope.data",
    "/home",
  ]) {
    const headers = (await request.get(path, { ...asBrowser, maxRedirects: 0 })).headers();
    expect(headers["x-content-type-options"], path).toBe("nosniff");
    expect(headers["referrer-policy"], path).toBe("strict-origin-when-cross-origin");
    expect(headers["content-security-policy"], path).toContain("base-uri 'none'");
    expect(headers["content-security-policy"], path).toContain("frame-ancestors 'none'");
    expect(headers["cache-control"], path).toMatch(/private|no-store/);
  }
});

test("malformed requests get a 4xx page, never a stack trace", async ({ request, app }) => {
  const headers = { Origin: app.url, Accept: "text/html" };
  const responses = [
    await request.post("/login", { data: { email: "x" }, headers }),
    await request.post("/login", { form: { email: "x".repeat(70_000) }, headers }),
    await request.post("/login", {
      data: "--nonsense",
      headers: { ...headers, "Content-Type": "multipart/form-data; boundary=x" },
    }),
    await request.post("/theme", { form: { theme: "plaid" }, headers }),
    await request.post("/no/such/page", { form: {}, headers }),
    await request.put("/login", { form: {}, headers }),
    await request.post("/read", { form: {}, headers }),
  ];

  for (const response of responses) {
    const text = await response.text();
    expect(response.status()).toBeGreaterThanOrEqual(400);
    expect(response.status()).toBeLessThan(500);
    expect(text, `${response.status()} ${response.url()}`).toContain("<h1");
    expect(text).not.toMatch(/\bat \w+ \(|\.server\.ts/);
  }
});

test("unusual requests do not crash the app or cause a 500", async ({ request, app }) => {
  const headers = { Origin: app.url };
  const form = { email: "ana", "x[100000000]": "1" };
  const rejected = await request.post("/register", { form, headers });
  expect(rejected.status()).toBe(400);
  expect((await rejected.body()).length).toBeLessThan(100_000);

  const responses = [
    await request.get("/home"),
    await request.fetch("/home", { method: "GET", data: "x=1" }),
    await request.fetch("/theme", { method: "HEAD", data: "x=1" }),
    await request.get(`/__manifest?p=${"/a".repeat(3700)}`, { maxRedirects: 0 }),
    await request.post("/home?_data=routes%2Fhome", { form: {}, headers }),
    await request.post("/login", {
      form: {},
      headers: { ...headers, "X-Forwarded-Host": "evil.example" },
    }),
    await request.post("/login", {
      form: {},
      headers: { Origin: "null", "Sec-Fetch-Site": "same-origin" },
    }),
    await request.post("/login", { form: {}, headers: { Origin: "https://evil.example" } }),
  ];
  const statuses = responses.map((response) => response.status());
  expect(statuses).toEqual([200, 200, 200, 302, 401, 400, 400, 403]);
});

const asBrowser = { headers: { Accept: "text/html" } };
