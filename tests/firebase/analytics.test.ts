import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { countPageView, startAnalytics } from "#app/firebase/analytics.client.ts";

const google = vi.hoisted(() => ({
  initializeAnalytics: vi.fn(() => ({})),
  logEvent: vi.fn(),
  setDefaultEventParameters: vi.fn(),
}));

vi.mock("firebase/app", () => ({ initializeApp: () => ({}) }));
vi.mock("firebase/analytics", () => ({
  ...google,
  isSupported: () => Promise.resolve(true),
  setAnalyticsCollectionEnabled: () => {},
  setConsent: () => {},
}));

beforeEach(() => void vi.stubGlobal("location", new URL("https://inkglade.example/home?q=secret")));
afterEach(() => void vi.unstubAllGlobals());

test("tells Google which pages are opened, but no words that the user typed", async () => {
  await startAnalytics({ apiKey: "key", projectId: "id", appId: "app", measurementId: "G-1" });
  await countPageView();
  const home = {
    page_location: "https://inkglade.example/home",
    page_referrer: "",
    page_title: "/home",
  };
  expect(google.initializeAnalytics).toHaveBeenCalledWith(
    {},
    { config: expect.objectContaining({ send_page_view: false }) },
  );
  expect(google.setDefaultEventParameters).toHaveBeenCalledWith(home);
  expect(google.logEvent).toHaveBeenLastCalledWith({}, "page_view", home);

  vi.stubGlobal("location", new URL("https://inkglade.example/login?oobCode=secret#secret"));
  await countPageView();

  const login = {
    page_location: "https://inkglade.example/login",
    page_referrer: "",
    page_title: "/login",
  };
  expect(google.setDefaultEventParameters).toHaveBeenLastCalledWith(login);
  expect(google.logEvent).toHaveBeenLastCalledWith({}, "page_view", login);
});
