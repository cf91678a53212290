import { createContext, useContext, type HTMLAttributes, type ReactNode } from "react";

/**
 * HTML that only the server renders: `<ServerHtml>{import.meta.env.SSR ? <Panel /> : null}</ServerHtml>`. The condition
 * keeps the code of the children out of the browser's build.
 */
export function ServerHtml(props: { children: ReactNode }) {
  return import.meta.env.SSR ? (
    <div>{props.children}</div>
  ) : (
    // oxlint-disable-next-line react/no-danger -- an empty constant, for which React keeps the server's HTML; without it React would remove that HTML
    <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
  );
}

/** The HTML that React has rendered on the server. */
export interface HtmlCache {
  /** Returns the HTML with this key, or `undefined`. */
  find: (key: string) => string | undefined;
  /**
   * Returns a marker to render before the children. The HTML between it and the marker of `endElement` is stored with the
   * key.
   */
  startElement: (key: string) => string;
  endElement: () => string;
}

/** `null` in the browser. */
export const HtmlCacheContext = createContext<HtmlCache | null>(null);

export interface CachedHtmlProps extends HTMLAttributes<HTMLElement> {
  as: "div" | "li" | "ul";
  /**
   * Everything that the HTML of the children depends on, contexts included. As JSON it is the key in the cache, so no
   * other element may have an equal object. `undefined`: the children are rendered each time.
   */
  dependsOn: object | undefined;
  children: ReactNode;
}

/**
 * An element whose children the server renders only once for each value of `dependsOn`. They must not call `useId`,
 * because ids depend on the place in the page, and must not contain a nonce.
 */
export function CachedHtml({ as: Element, dependsOn, children, ...attributes }: CachedHtmlProps) {
  const cache = useContext(HtmlCacheContext);
  if (!cache || !dependsOn) return <Element {...attributes}>{children}</Element>;
  const key = JSON.stringify(dependsOn);
  const html = cache.find(key);
  if (html !== undefined) {
    // oxlint-disable-next-line react/no-danger -- what React has rendered from these children
    return <Element {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
  }
  return (
    <Element {...attributes}>
      {cache.startElement(key)}
      {children}
      {cache.endElement()}
    </Element>
  );
}
