import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

/** What a user may do first. */
const INTERACTIONS = [
  "mousemove",
  "mousedown",
  "keydown",
  "focusin",
  "wheel",
  "scroll",
  "touchend",
];

let interaction: Promise<void> | undefined;

function waitForInteraction(): Promise<void> {
  interaction ??= new Promise((resolve) => {
    for (const type of INTERACTIONS) {
      window.addEventListener(type, () => resolve(), { once: true, passive: true, capture: true });
    }
  });
  return interaction;
}

/** Returns a component that is loaded with the first interaction. Render it in `Late`, and the component itself on the server. */
export function lazyAfterInteraction<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    await waitForInteraction();
    return { default: await load() };
  });
}

export interface LateProps {
  /** Unique on the page. */
  id: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Shows a part of the page that works as HTML, and is hydrated once its script is loaded. If React gives up the hydration,
 * because something above has changed, the server's HTML stays until then.
 */
export function Late({ id, className, children }: LateProps) {
  const [html] = useState(() => findHtml(id));
  return (
    <div className={className} id={id}>
      <Suspense
        fallback={
          html === "" ? null : (
            // oxlint-disable-next-line react/no-danger -- React has rendered it
            <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
          )
        }
      >
        {children}
      </Suspense>
    </div>
  );
}

/** Returns the HTML that the server has rendered; an empty string on the server and after a client-side navigation. */
function findHtml(id: string): string {
  if (import.meta.env.SSR) return "";
  return document.getElementById(id)?.innerHTML ?? "";
}
