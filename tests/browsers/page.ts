import { expect } from "vitest";

import { callInPage, type BrowserWindow, type InputDevice } from "./browser.ts";
import { KEYS } from "./keys.ts";

/** Elements of a page, by what users see of them. */
export interface Target {
  /** A CSS selector. */
  selector: string;
  /** The accessible name or the text; part of it when it is a pattern. */
  name?: string | { pattern: string };
}

interface Found {
  count: number;
  text: string;
  value: string;
  isFocused: boolean;
  isDisabled: boolean;
  /** Its place in the window, in CSS pixels. */
  top: number;
  height: number;
  /** The centre of its visible part, if a click there reaches it. */
  point: { x: number; y: number } | null;
}

type Name = string | RegExp;

const toTarget = (selector: string, name?: Name): Target => ({
  selector,
  ...(name !== undefined && { name: typeof name === "string" ? name : { pattern: name.source } }),
});

export const button = (name: Name) =>
  toTarget("button, [role=button], [role=menuitem], summary", name);
export const link = (name: Name) => toTarget("a[href]", name);
export const field = (name: Name) =>
  toTarget("input:not([type=hidden]), textarea, select, [role=textbox]", name);
export const heading = (name: Name) => toTarget("h1, h2, h3", name);
export const element = (selector: string, text?: Name) => toTarget(selector, text);

/** A page as users use it: by names, with the mouse and the keyboard. */
export class Page {
  readonly #window: BrowserWindow;
  readonly #origin: string;
  readonly #hasScripts: boolean;

  constructor(window: BrowserWindow, origin: string, hasScripts: boolean) {
    this.#window = window;
    this.#origin = origin;
    this.#hasScripts = hasScripts;
  }

  async open(path: string): Promise<void> {
    await this.#window.open(this.#origin + path);
    await this.hydrated();
  }

  /** Signs in without the form, from a page without scripts. */
  async startSession({ email, password }: { email: string; password: string }): Promise<void> {
    await this.#window.open(`${this.#origin}/favicon.svg`);
    const status = await this.call(
      async (form) => {
        const body = new URLSearchParams(form);
        const response = await fetch("/login", { method: "POST", body, redirect: "manual" });
        return response.type;
      },
      { email, password },
    );
    expect(status).toBe("opaqueredirect");
  }

  async reload(): Promise<void> {
    await this.#window.reload();
    await this.hydrated();
  }

  async back(): Promise<void> {
    await this.#window.back();
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#window.resize({ width, height });
  }

  /** Waits until scripts handle what users do. */
  async hydrated(): Promise<void> {
    if (!this.#hasScripts) return;
    await expect
      .poll(() => this.call(() => document.documentElement.dataset["authLoading"] ?? "false"))
      .toBe("false");
  }

  call<Arguments extends unknown[], Result>(
    run: (...args: Arguments) => Result | Promise<Result>,
    ...args: Arguments
  ): Promise<Result> {
    return callInPage(this.#window, run, ...args);
  }

  path(): Promise<string> {
    return this.call(() => location.pathname + location.search + location.hash);
  }

  find(target: Target): Promise<Found> {
    return this.call(findElement, target, false);
  }

  async text(target: Target): Promise<string> {
    return (await this.find(target)).text;
  }

  /** Waits until the elements are visible. */
  async see(target: Target): Promise<void> {
    await expect
      .poll(async () => (await this.find(target)).count, { message: `sees ${describe(target)}` })
      .toBeGreaterThan(0);
  }

  async seeText(text: Name): Promise<void> {
    await this.see(element("body", typeof text === "string" ? new RegExp(escape(text)) : text));
  }

  /** Waits until no such element is visible. */
  async miss(target: Target): Promise<void> {
    await expect
      .poll(async () => (await this.find(target)).count, { message: `misses ${describe(target)}` })
      .toBe(0);
  }

  async click(target: Target): Promise<void> {
    const { x, y } = await this.#waitForPoint(target);
    await this.#perform({
      type: "pointer",
      id: "mouse",
      actions: [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    });
  }

  /** Replaces what is in a field. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.press("Control+a");
    await this.press("Backspace");
    await this.type(text);
  }

  async type(text: string): Promise<void> {
    const actions = text.split("").flatMap((value) => [
      { type: "keyDown" as const, value },
      { type: "keyUp" as const, value },
    ]);
    await this.#perform({ type: "key", id: "keyboard", actions });
  }

  /** Presses a key, also with others: `Control+b`. */
  async press(shortcut: string): Promise<void> {
    const values = shortcut.split("+").map((key) => KEYS[key] ?? key);
    await this.#perform({
      type: "key",
      id: "keyboard",
      actions: [
        ...values.map((value) => ({ type: "keyDown" as const, value })),
        ...values.toReversed().map((value) => ({ type: "keyUp" as const, value })),
      ],
    });
  }

  async turnWheel(deltaY: number): Promise<void> {
    const action = { type: "scroll" as const, x: 200, y: 300, deltaX: 0, deltaY };
    await this.#perform({ type: "wheel", id: "wheel", actions: [action] });
  }

  /** Waits until the page no longer scrolls. Returns its place. */
  async waitForRest(): Promise<number> {
    return await this.call(
      () =>
        new Promise<number>((resolve) => {
          let [y, frames] = [-1, 0];
          requestAnimationFrame(function check() {
            frames = scrollY === y ? frames + 1 : 0;
            y = scrollY;
            if (frames === 20) resolve(Math.round(y));
            else requestAnimationFrame(check);
          });
        }),
    );
  }

  /** Opens another document, as with a typed address. */
  async leave(): Promise<void> {
    await this.call(() => {
      addEventListener("pageshow", ({ persisted }) => {
        document.documentElement.dataset["persisted"] = String(persisted);
      });
    });
    await this.#window.open(`${this.#origin}/login?other`);
  }

  /** Waits until a page from the browser's page cache has refreshed its data. Other pages are new anyway. */
  async waitForRefresh(): Promise<void> {
    await this.hydrated();
    if (!(await this.call(() => document.documentElement.dataset["persisted"] !== undefined)))
      return;
    await this.waitForData();
    await this.waitForRest();
  }

  /** Waits until the page has loaded data for its scripts. */
  async waitForData(): Promise<void> {
    const hasData = () =>
      performance
        .getEntriesByType("resource")
        .some(({ name }) => new URL(name).pathname.endsWith(".data"));
    await expect.poll(() => this.call(hasData)).toBe(true);
  }

  async #perform(device: InputDevice): Promise<void> {
    await this.#window.perform([device]);
  }

  async #waitForPoint(target: Target): Promise<{ x: number; y: number }> {
    let last: string | undefined;
    let point: Found["point"] = null;
    await expect
      .poll(
        async () => {
          const found = await this.call(findElement, target, true);
          const where = JSON.stringify([found.point, found.isDisabled]);
          point = found.point;
          // Twice at the same place: it does not move.
          const isStill = where === last;
          last = where;
          if (found.count === 0) return "missing";
          if (found.isDisabled) return "disabled";
          if (!found.point) return "covered";
          return isStill ? "clickable" : "moving";
        },
        { message: `clicks ${describe(target)}` },
      )
      .toBe("clickable");
    if (!point) throw new Error("Expected a point");
    return point;
  }
}

function describe({ selector, name }: Target): string {
  return `${selector} ${JSON.stringify(name ?? "")}`;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Runs in the page. Describes the first visible element, and scrolls it into view if it should be clicked. */
function findElement({ selector, name }: Target, isClick: boolean): Found {
  const normalize = (text: string | null | undefined) =>
    (text ?? "").replaceAll(/\s+/g, " ").trim();
  const byId = (ids: string) =>
    ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
  const toField = (element: HTMLElement) =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
      ? element
      : undefined;

  function getNames(element: HTMLElement): string[] {
    const labelledBy = element.getAttribute("aria-labelledby");
    const labels = [...(toField(element)?.labels ?? [])];
    return [
      labelledBy && byId(labelledBy).join(" "),
      element.getAttribute("aria-label"),
      ...labels.map((label) => label.textContent),
      element.getAttribute("placeholder"),
      element.innerText,
      element.textContent,
    ]
      .map(normalize)
      .filter(Boolean);
  }

  function isNamed(element: HTMLElement): boolean {
    if (name === undefined) return true;
    const names = getNames(element);
    if (typeof name === "string") return names.includes(name);
    const pattern = new RegExp(name.pattern);
    return names.some((text) => pattern.test(text));
  }

  const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && isNamed(one),
  );
  const [first] = all;
  const nothing = { count: 0, text: "", value: "", isFocused: false };
  if (!first) return { ...nothing, isDisabled: false, top: 0, height: 0, point: null };

  const isInView = (box: DOMRect) => box.top >= 0 && box.bottom <= innerHeight;
  if (isClick && !isInView(first.getBoundingClientRect()))
    first.scrollIntoView({ block: "center", behavior: "instant" });
  const box = first.getBoundingClientRect();
  const x = Math.round(box.left + box.width / 2);
  const y = Math.round((Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2);
  const hit = document.elementFromPoint(x, y);
  const label = hit?.closest("label");
  const isReached = first.contains(hit) || (label !== null && label?.control === first);
  const input = toField(first);
  return {
    count: all.length,
    text: normalize(first.innerText),
    value: input?.value ?? "",
    isFocused: first.contains(document.activeElement),
    isDisabled: first.matches(":disabled, [aria-disabled=true]"),
    top: box.top,
    height: box.height,
    point: isReached ? { x, y } : null,
  };
}
