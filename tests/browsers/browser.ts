import * as z from "zod";

export type BrowserName = "chromium" | "firefox" | "webkit";

export interface Browser extends AsyncDisposable {
  /** Opens a window with its own cookies and storage. */
  openWindow(options?: WindowOptions): Promise<BrowserWindow>;
}

export interface WindowOptions {
  /** @default true */
  hasScripts?: boolean;
}

/** What WebDriver, classic and BiDi, and Playwright can do with a window. */
export interface BrowserWindow extends AsyncDisposable {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /**
   * Evaluates an expression in the page.
   *
   * @returns the string that the expression resolves to
   */
  evaluate(expression: string): Promise<unknown>;
  perform(devices: readonly InputDevice[]): Promise<void>;
  resize(size: { width: number; height: number }): Promise<void>;
}

/** What an input device does, as in https://w3c.github.io/webdriver/#actions. */
export type InputDevice =
  | { type: "key"; id: string; actions: { type: "keyDown" | "keyUp"; value: string }[] }
  | { type: "pointer"; id: string; actions: PointerAction[] }
  | { type: "wheel"; id: string; actions: WheelAction[] };

type PointerAction =
  | { type: "pointerMove"; x: number; y: number; duration?: number }
  | { type: "pointerDown" | "pointerUp"; button: number };

interface WheelAction {
  type: "scroll";
  x: number;
  y: number;
  deltaX: number;
  deltaY: number;
}

const resultSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.union([z.object({ error: z.string() }), z.object({ value: z.unknown() })]));

/**
 * Calls a function in a page, and returns its result as JSON.
 *
 * @param run uses only its arguments and what pages have
 */
export async function callInPage<Arguments extends unknown[], Result>(
  window: BrowserWindow,
  run: (...args: Arguments) => Result | Promise<Result>,
  ...args: Arguments
): Promise<Result> {
  // Without a promise, if there is none: Firefox runs no callbacks of promises in pages without scripts.
  const expression = `(() => {
    const toValue = (value) => JSON.stringify({ value: value ?? null });
    const toError = (error) => JSON.stringify({ error: String(error) });
    try {
      const result = (${run.toString()})(...${JSON.stringify(args)});
      return result instanceof Promise ? result.then(toValue, toError) : toValue(result);
    } catch (error) {
      return toError(error);
    }
  })()`;
  const result = resultSchema.parse(await window.evaluate(expression));
  if ("error" in result) throw new Error(`In the page: ${result.error}`);
  // The function returned it.
  return result.value as Result;
}
