import { useEffect, useRef, useState, type ComponentType } from "react";

import { useBrowserLayoutEffect } from "./use-browser-layout-effect.ts";

/** What a user may do first. Not a press, which must end on the element where it began. */
const INTERACTIONS = ["mousemove", "keydown", "focusin", "wheel", "scroll", "touchend"];

/** How long a press or a form in use puts off the change. */
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

export interface LateProps {
  /** Unique on the page. */
  id: string;
  className?: string | undefined;
}

/**
 * Returns a component that works as HTML before its script is there. The browser loads the script with the first
 * interaction and then replaces the server's HTML. React's `Suspense` would not keep the HTML when a context changes.
 * Until then the element has the attribute `data-late`.
 *
 * @param ServerComponent the component on the server, `null` in the browser
 */
export function createLate<Props extends object>(
  ServerComponent: ComponentType<Props> | null,
  load: () => Promise<ComponentType<Props>>,
) {
  let Loaded: ComponentType<Props> | undefined;

  return function Late({ id, className, props }: LateProps & { props: Props }) {
    const element = useRef<HTMLDivElement>(null);
    const focusIndex = useRef(-1);
    const [html] = useState(() => findHtml(id));
    // A page that the server has rendered begins with its HTML, also if the script is there.
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
        focusIndex.current = listFocusable(element.current).indexOf(document.activeElement);
        setComponent(() => Loaded);
      }
      const interacted = html === undefined ? Promise.resolve() : waitForInteraction();
      interacted
        .then(async () => {
          Loaded ??= await load();
          show();
        })
        // The HTML stays.
        .catch(() => undefined);
      return () => {
        isMounted = false;
        clearTimeout(timer);
      };
    }, [Component, html]);

    useBrowserLayoutEffect(() => {
      const target = listFocusable(element.current)[focusIndex.current];
      focusIndex.current = -1;
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    }, [Component]);

    if (ServerComponent) {
      return (
        <div id={id} className={className} data-late>
          <ServerComponent {...props} />
        </div>
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
        data-late
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

/** Whether a press, typing, or the focus in opened details would be lost. */
function isInUse(element: Element | null): boolean {
  return Boolean(element?.querySelector("input:focus, :active, details[open]"));
}

function listFocusable(element: Element | null): (Element | null)[] {
  return element ? Array.from(element.querySelectorAll("a, button, summary, input")) : [];
}
