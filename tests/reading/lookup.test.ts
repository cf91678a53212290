import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createLookup } from "#app/reading/positions/lookup.ts";

beforeEach(() => {
  // There is no page, so no key is pressed in a field.
  vi.stubGlobal("Element", vi.fn());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const WINDOW = 800;
const LENGTH = 10_000;

/** A text of 100 paragraphs `p-0` to `p-99`, each 100 pixels high, in a window of 800. */
function openText(ownParagraph?: string, initialHash = "") {
  const page = new EventTarget();
  let y = 0;
  const lookup = createLookup({
    map: {
      findIndex: (id) => {
        const number = Number(/^p-(\d+)$/.exec(id)?.[1] ?? LENGTH);
        return number < LENGTH / 100 ? number : -1;
      },
      findFirstVisible: () => ({ number: Math.floor(y / 100), offset: 0 }),
      findTop: ({ number }) => number * 100 - y,
      isAtEnd: () => y + WINDOW >= LENGTH,
    },
    getView: () => ({ top: 0, height: WINDOW }),
    initialHash,
    ownParagraph,
    page,
  });
  let hash = initialHash;
  return {
    lookup,
    /** Follows a link: `#p-40` scrolls that paragraph to the top of the window. */
    goTo: (to: string, at = Number(to.slice("#p-".length)) * 100) => {
      hash = to;
      y = Math.min(at, LENGTH - WINDOW);
      lookup.onScroll(hash);
    },
    /** Scrolls without user input, like a search in the page. */
    jump: (to: number) => {
      y = to;
      lookup.onScroll(hash);
      lookup.onMove();
    },
    scroll: (by: number) => {
      page.dispatchEvent(new Event("wheel"));
      y += by;
      lookup.onScroll(hash);
      lookup.onMove();
    },
    press: (keys: Partial<KeyboardEvent>) =>
      page.dispatchEvent(Object.assign(new Event("keydown"), keys)),
  };
}

test("treats scrolling as reading", () => {
  const { lookup, scroll, jump, press } = openText();
  scroll(5000);
  expect(lookup.isActive).toBe(false);
  jump(100);
  expect(lookup.isActive).toBe(false);
  press({ key: "f" });
  press({ key: "c", ctrlKey: true });
  expect(lookup.isActive).toBe(false);
});

test("treats a link to a passage as a lookup until the user has scrolled a screen away from it", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-40");
  expect(lookup.isActive).toBe(true);
  scroll(799);
  expect(lookup.isActive).toBe(true);
  scroll(1);
  expect(lookup.isActive).toBe(false);

  goTo("#p-60");
  expect(lookup.isActive).toBe(true);
  scroll(-800);
  expect(lookup.isActive).toBe(false);
});

test("continues the lookup while the page is laid out on the way to the passage", () => {
  const { lookup, goTo, jump } = openText();
  goTo("#p-40", 7000);
  jump(5500);
  jump(4000);
  expect(lookup.isActive).toBe(true);
});

test("ends the lookup at the end of the text, unless the link led to the end", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-88");
  scroll(400);
  expect(lookup.isActive).toBe(false);

  goTo("#p-99");
  scroll(-10);
  scroll(10);
  expect(lookup.isActive).toBe(true);
});

test("looks up the same passage twice, although the address does not change", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-40");
  scroll(900);
  expect(lookup.isActive).toBe(false);

  lookup.onHashChange("#p-40");
  expect(lookup.isActive).toBe(true);
});

test("treats a link to the user's position as reading", () => {
  const { lookup, goTo } = openText("p-10");
  goTo("#p-10");
  expect(lookup.isActive).toBe(false);

  goTo("#p-40");
  lookup.setOwnParagraph("p-10");
  goTo("#p-10");
  expect(lookup.isActive).toBe(false);
});

test("treats a link to an earlier position of the user as a lookup", () => {
  const { lookup, goTo } = openText();
  lookup.setOwnParagraph("p-10");
  goTo("#p-10");
  goTo("#p-40");
  goTo("#p-10");
  expect(lookup.isActive).toBe(true);
});

test("treats going back from a passage as a lookup", () => {
  const { lookup, goTo, jump, scroll } = openText();
  goTo("#p-40");
  scroll(900);
  goTo("", 9200);
  jump(0);
  expect(lookup.isActive).toBe(true);
  scroll(799);
  expect(lookup.isActive).toBe(true);
  scroll(1);
  expect(lookup.isActive).toBe(false);
});

test("ignores a hash that is not a passage", () => {
  const { lookup, goTo } = openText();
  goTo("#room", 300);
  expect(lookup.isActive).toBe(false);
  goTo("", 0);
  expect(lookup.isActive).toBe(false);
});

test("treats a link to a passage that the text no longer has as a lookup until the user reads on", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-nowhere", 0);
  expect(lookup.isActive).toBe(true);
  scroll(799);
  expect(lookup.isActive).toBe(true);
  scroll(1);
  expect(lookup.isActive).toBe(false);
});

test.each(["#p-nowhere", "#p-100", "#room"])(
  "treats scrolling as reading on a page that was opened with %s",
  (hash) => {
    const { lookup, scroll } = openText("p-10", hash);
    scroll(300);
    expect(lookup.isActive).toBe(false);
  },
);

test.each([
  { key: "f", ctrlKey: true },
  { key: "F", ctrlKey: true },
  { key: "f", metaKey: true },
  { key: "g", ctrlKey: true },
  { key: "F3" },
  { key: "/" },
  { key: "'" },
])("treats a search opened by %j as a lookup until the user reads on", (keys) => {
  const { lookup, press, jump, scroll } = openText();
  scroll(300);
  press(keys);
  jump(3000);
  jump(7000);
  expect(lookup.isActive).toBe(true);
  scroll(700);
  expect(lookup.isActive).toBe(true);
  scroll(100);
  expect(lookup.isActive).toBe(false);
});

test("treats a scroll to what Tab focuses as a lookup until the user reads on", () => {
  const { lookup, press, jump, scroll } = openText();
  scroll(3000);
  press({ key: "Tab" });
  expect(lookup.isActive).toBe(false);
  jump(100);
  expect(lookup.isActive).toBe(true);
  press({ key: "Tab" });
  jump(7000);
  expect(lookup.isActive).toBe(true);
  scroll(700);
  expect(lookup.isActive).toBe(true);
  scroll(100);
  expect(lookup.isActive).toBe(false);
});

test("ignores events after it was stopped", () => {
  const { lookup, press } = openText();
  lookup.stop();
  press({ key: "F3" });
  expect(lookup.isActive).toBe(false);
});
