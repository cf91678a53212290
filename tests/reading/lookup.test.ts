import { expect, test } from "vitest";

import { Lookup } from "#app/reading/lookup.ts";

const WINDOW = 800;
const LENGTH = 10_000;

/** A text of 100 paragraphs `p-0` to `p-99`, each 100 pixels high, in a window of 800. */
function openText(ownParagraph?: string) {
  const page = new EventTarget();
  let y = 0;
  const lookup = new Lookup({
    map: {
      find: (id) => {
        const number = Number(/^p-(\d+)$/.exec(id)?.[1] ?? LENGTH);
        return number < LENGTH / 100 ? number : -1;
      },
      spotAt: (top) => ({ number: Math.floor((y + top) / 100), offset: 0 }),
      topOf: ({ number }) => number * 100 - y,
    },
    getView: () => ({ top: 0, height: WINDOW, isAtEnd: y + WINDOW >= LENGTH }),
    ownParagraph,
    page,
  });
  let hash = "";
  return {
    lookup,
    /** Follows a link; `#p-40` is at the top of the window then. */
    goTo: (to: string, at = Number(to.slice("#p-".length)) * 100) => {
      hash = to;
      y = Math.min(at, LENGTH - WINDOW);
      lookup.scroll(hash);
    },
    /** Scrolls without any input of the reader's, as a search in the page does. */
    jump: (to: number) => {
      y = to;
      lookup.scroll(hash);
    },
    scroll: (by: number) => {
      page.dispatchEvent(new Event("wheel"));
      y += by;
      lookup.scroll(hash);
    },
    press: (keys: Partial<KeyboardEvent>) =>
      page.dispatchEvent(Object.assign(new Event("keydown"), keys)),
  };
}

test("scrolling is reading, by whatever it is done", () => {
  const { lookup, scroll, jump, press } = openText();
  scroll(5000);
  expect(lookup.isOn).toBe(false);
  jump(100);
  expect(lookup.isOn).toBe(false);
  press({ key: "f" });
  press({ key: "c", ctrlKey: true });
  expect(lookup.isOn).toBe(false);
});

test("a link to a passage is a lookup until the reader is a window away from it", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-40");
  expect(lookup.isOn).toBe(true);
  scroll(799);
  expect(lookup.isOn).toBe(true);
  scroll(1);
  expect(lookup.isOn).toBe(false);

  goTo("#p-60");
  expect(lookup.isOn).toBe(true);
  scroll(-800);
  expect(lookup.isOn).toBe(false);
});

test("a page that has still to be laid out ends no lookup on the way to the passage", () => {
  const { lookup, goTo, jump } = openText();
  goTo("#p-40", 7000);
  jump(5500);
  jump(4000);
  expect(lookup.isOn).toBe(true);
});

test("whoever reads on to the end has read on, but not by a link to the end", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-88");
  scroll(400);
  expect(lookup.isOn).toBe(false);

  goTo("#p-99");
  scroll(-10);
  scroll(10);
  expect(lookup.isOn).toBe(true);
});

test("the same passage can be looked up twice, though the address stays", () => {
  const { lookup, goTo, scroll } = openText();
  goTo("#p-40");
  scroll(900);
  expect(lookup.isOn).toBe(false);

  lookup.follow("#p-40");
  expect(lookup.isOn).toBe(true);
});

test("a link to the reader's own place goes on with reading", () => {
  const { lookup, goTo } = openText("p-10");
  goTo("#p-10");
  expect(lookup.isOn).toBe(false);

  goTo("#p-40");
  lookup.allow("p-10");
  goTo("#p-10");
  expect(lookup.isOn).toBe(false);
});

test("the place that was offered once is a passage like any other after the next lookup", () => {
  const { lookup, goTo } = openText();
  lookup.allow("p-10");
  goTo("#p-10");
  goTo("#p-40");
  goTo("#p-10");
  expect(lookup.isOn).toBe(true);
});

test("the browser's way back from a passage is no reading either", () => {
  const { lookup, goTo, jump, scroll } = openText();
  goTo("#p-40");
  scroll(900);
  goTo("", 9200);
  jump(0);
  expect(lookup.isOn).toBe(true);
  scroll(799);
  expect(lookup.isOn).toBe(true);
  scroll(1);
  expect(lookup.isOn).toBe(false);
});

test.each(["#p-nowhere", "#room", "#p-100"])("the address %s names no passage", (hash) => {
  const { lookup, goTo } = openText();
  goTo(hash, 300);
  expect(lookup.isOn).toBe(false);
  goTo("", 0);
  expect(lookup.isOn).toBe(false);
});

test.each([
  { key: "f", ctrlKey: true },
  { key: "F", ctrlKey: true },
  { key: "f", metaKey: true },
  { key: "g", ctrlKey: true },
  { key: "F3" },
])("whatever the search opened by %j finds moves no place, until the reader goes on", (keys) => {
  const { lookup, press, jump, scroll } = openText();
  scroll(300);
  press(keys);
  jump(3000);
  jump(7000);
  expect(lookup.isOn).toBe(true);
  scroll(700);
  expect(lookup.isOn).toBe(true);
  scroll(100);
  expect(lookup.isOn).toBe(false);
});

test("a reader that is closed takes no more note of the page", () => {
  const { lookup, press } = openText();
  lookup.stop();
  press({ key: "F3" });
  expect(lookup.isOn).toBe(false);
});
