import { Link } from "@remix-run/react";

import styles from "./footer.module.css";
import { Logo } from "./logo.tsx";

const PAGES = [
  ["/about", "About"],
  ["/how-the-room-works", "How the room works"],
  ["/privacy", "Privacy"],
] as const;

/** @param sourceUrl the address of the source code, if this deployment names one */
export function Footer({ sourceUrl }: { sourceUrl: string | undefined }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <span className={styles.brand}>
          <Logo />
          Inkglade
        </span>
        <ul className={styles.links}>
          {PAGES.map(([path, name]) => (
            <li key={path}>
              <Link className={styles.link} to={path}>
                {name}
              </Link>
            </li>
          ))}
          {sourceUrl ? (
            <li>
              <a className={styles.link} href={sourceUrl}>
                Source
              </a>
            </li>
          ) : null}
        </ul>
      </div>
    </footer>
  );
}
