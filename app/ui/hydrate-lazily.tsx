import { useEffect, useRef, useState, type ComponentType } from "react";
import { flushSync } from "react-dom";

import { CachedHtml } from "./cached-html.tsx";

/**
 * The first interactions that load the scripts. Not `pointerdown`, because a click must end on the element where it
 * began.
 */
const INTERACTIONS = ["mousemove", "keydown", "focusin", "wheel", "scroll", "touchend"];

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
      let isMounted = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      function show() {
        if (!isMounted) return;
        if (isInUse(element.current)) {
          timer = setTimeout(show, RETRY_MS);
          return;
        }
        const y = scrollY;
        const focusIndex = listFocusable(element.current).indexOf(document.activeElement);
        flushSync(() => setComponent(() => Loaded));
        // While neither is in the page, WebKit may scroll up to the new end of the page.
        if (scrollY !== y) scrollTo({ top: y, behavior: "instant" });
        const target = listFocusable(element.current)[focusIndex];
        if (target instanceof HTMLElement) target.focus({ preventScroll: true });
      }
      const interacted = html === undefined ? Promise.resolve() : waitForInteraction();
      void interacted.then(async () => {
        Loaded ??= await load();
        show();
      });
      return () => {
        isMounted = false;
        clearTimeout(timer);
      };
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

/** Whether replacing the HTML now would lose a press, typed text, or the focus in open details. */
function isInUse(element: Element | null): boolean {
  return Boolean(element?.querySelector("input:focus, :active, details[open]"));
}

function listFocusable(element: Element | null): (Element | null)[] {
  return [...(element?.querySelectorAll("a, button, summary, input") ?? [])];
}
