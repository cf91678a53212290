import { useEffect, useRef, useState, type ComponentType } from "react";
import { flushSync } from "react-dom";

import { CachedHtml } from "./server-html.tsx";

/**
 * The first interactions that load the scripts. Not `pointerdown`, because a click must end on the element where it
 * began.
 */
const INTERACTIONS = ["mousemove", "keydown", "focusin", "wheel", "scroll", "touchend"];

/** Matches what replacing the HTML would lose: a press, the text that is being typed, and the focus in open details. */
const IN_USE = "input:focus, :active, details[open]";

const CONTROLS = "a, button, summary, input";

/** How often the browser checks whether HTML that was in use can be replaced. */
const RETRY_MS = 300;

let interaction: Promise<void> | undefined;

function waitForInteraction(): Promise<void> {
  interaction ??= new Promise((resolve) => {
    for (const type of INTERACTIONS) {
      window.addEventListener(type, () => resolve(), { once: true, passive: true, capture: true });
    }
  });
  return interaction;
}

export interface LazyProps {
  /** Unique on the page. */
  id: string;
  className?: string | undefined;
  /** Everything that the server's HTML depends on; see `CachedHtml`. */
  dependsOn?: object | undefined;
}

/**
 * Returns a component that is server-rendered HTML until the user first interacts with the page. Then the browser loads
 * its script, and the component replaces the HTML, which has the attribute `data-lazy`. React's `Suspense` would not keep
 * the HTML when a context changes.
 *
 * @param ServerComponent the component on the server, `null` in the browser
 * @param load must not reject. Until it resolves, the HTML stays, with links and forms that work without scripts; a page
 *   that was opened by a link within the app has none
 */
export function hydrateLazily<Props extends object>(
  ServerComponent: ComponentType<Props> | null,
  load: () => Promise<ComponentType<Props>>,
) {
  let Loaded: ComponentType<Props> | undefined;

  return function Lazy({ id, className, dependsOn, props }: LazyProps & { props: Props }) {
    const element = useRef<HTMLDivElement>(null);
    const [html] = useState(() => findHtml(id));
    // A page that the server has rendered begins with its HTML, even if the script is already loaded.
    const [Component, setComponent] = useState(() => (html === undefined ? Loaded : undefined));

    useEffect(() => {
      if (Component) return;
      function show() {
        const { current } = element;
        // The page may have been left.
        if (!current) return;
        if (current.querySelector(IN_USE)) {
          setTimeout(show, RETRY_MS);
          return;
        }
        const y = scrollY;
        const before = current.querySelectorAll(CONTROLS);
        const focused = document.activeElement;
        flushSync(() => setComponent(() => Loaded));
        // While neither is in the page, WebKit may scroll up to the new end of the page.
        if (scrollY !== y) scrollTo({ top: y, behavior: "instant" });
        element.current?.querySelectorAll<HTMLElement>(CONTROLS).forEach((control, index) => {
          const source = before[index];
          if (source === focused) control.focus({ preventScroll: true });
          const isField = source instanceof HTMLInputElement && control instanceof HTMLInputElement;
          if (isField && source.value !== source.defaultValue) control.value = source.value;
        });
      }
      const interacted = html === undefined ? Promise.resolve() : waitForInteraction();
      void interacted.then(async () => {
        Loaded ??= await load();
        show();
      });
    }, [Component, html]);

    if (ServerComponent) {
      return (
        <CachedHtml as="div" id={id} className={className} data-lazy dependsOn={dependsOn}>
          <ServerComponent {...props} />
        </CachedHtml>
      );
    }
    return Component ? (
      <div key="loaded" id={id} className={className} ref={element}>
        <Component {...props} />
      </div>
    ) : (
      <div
        key="html"
        id={id}
        className={className}
        data-lazy
        ref={element}
        suppressHydrationWarning
        // oxlint-disable-next-line react/no-danger -- what React rendered on the server, read from this same element; as elements, it would need the script that is still to be loaded
        dangerouslySetInnerHTML={{ __html: html ?? "" }}
      />
    );
  };
}

/** Returns the HTML that the server has rendered; `undefined` on the server and after a client-side navigation. */
function findHtml(id: string): string | undefined {
  return import.meta.env.SSR ? undefined : document.getElementById(id)?.innerHTML;
}
