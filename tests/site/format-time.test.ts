import { expect, test } from "vitest";

import { formatAgo, formatDateTime, formatDay, formatDayInText } from "#app/site/locale/locale.ts";

test.each([
  // The night in which clocks go forward is an hour shorter.
  ["America/New_York", "2026-03-08T04:30:00Z", "2026-03-09T04:30:00Z", "March 7, 2026"],
  ["America/New_York", "2026-03-08T05:30:00Z", "2026-03-09T04:30:00Z", "Yesterday"],
  ["America/New_York", "2026-03-09T03:59:00Z", "2026-03-09T04:30:00Z", "Yesterday"],
  // The day on which clocks go back is an hour longer.
  ["America/New_York", "2026-11-01T04:30:00Z", "2026-11-02T04:30:00Z", "Today"],
  ["America/New_York", "2026-10-31T16:00:00Z", "2026-11-02T04:30:00Z", "Yesterday"],
  ["America/New_York", "2026-10-31T16:00:00Z", "2026-11-02T05:30:00Z", "October 31, 2026"],
  ["America/New_York", "2026-11-01T04:30:00Z", "2026-11-03T04:59:00Z", "Yesterday"],
  ["Europe/Lisbon", "2026-03-28T23:30:00Z", "2026-03-29T23:30:00Z", "March 28, 2026"],
  ["Australia/Lord_Howe", "2026-10-02T13:00:00Z", "2026-10-03T13:15:00Z", "Yesterday"],
  ["UTC", "2025-12-31T00:00:00Z", "2026-01-01T23:59:00Z", "Yesterday"],
  ["UTC", "2026-01-02T00:00:00Z", "2026-01-01T12:00:00Z", "January 2, 2026"],
])("in %s, the day of %s is at %s %j", (timeZone, time, now, day) => {
  const locale = { language: "en", timeZone };
  const times = [Date.parse(time), locale, Date.parse(now)] as const;

  expect(formatDay(...times)).toBe(day);
  expect(formatDayInText(...times)).toBe(/^Yes|^To/.test(day) ? day.toLowerCase() : day);
  if (day === "Yesterday") expect(formatDateTime(...times)).toMatch(/^Yesterday, /);
});

test("finds yesterday in a language with another calendar", () => {
  const locale = { language: "th-TH", timeZone: "America/New_York" };

  expect(
    formatDay(Date.parse("2026-03-08T15:00:00Z"), locale, Date.parse("2026-03-09T04:30:00Z")),
  ).toBe("Yesterday");
});

test("a date in a language from right to left is isolated from the English around it", () => {
  const time = Date.parse("2026-03-03T15:00:00Z");

  expect(formatDay(time, { language: "he", timeZone: "UTC" }, time + 7 * 86_400_000)).toBe(
    "\u20683 במרץ 2026\u2069",
  );
});

test.each([
  [-5000, "just now"],
  [59_999, "just now"],
  [60_000, "1 min ago"],
  [59.9 * 60_000, "59 min ago"],
  [60 * 60_000, "1 h ago"],
  [23.9 * 60 * 60_000, "23 h ago"],
  [24 * 60 * 60_000, "yesterday"],
  [72 * 60 * 60_000, "November 19, 2026"],
])("what was %i milliseconds ago was %s", (elapsed, text) => {
  const now = Date.parse("2026-11-22T14:05:00Z");

  expect(formatAgo(now - elapsed, { language: "en", timeZone: "UTC" }, now)).toBe(text);
});
