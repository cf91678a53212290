import { Link } from "@remix-run/react";

import { readPath } from "#app/schemas/book.ts";
import type { BegunStory } from "#app/schemas/place.ts";
import styles from "./continue-strip.module.css";
import { Cover } from "./cover.tsx";

/** What the reader is in the middle of, newest first; absent when there is nothing. */
export function ContinueStrip({ begun }: { begun: BegunStory[] }) {
  if (begun.length === 0) return null;
  return (
    <section className={styles.strip} aria-labelledby="continue">
      <h2 id="continue">Continue reading</h2>
      <ul className={styles.list}>
        {begun.map(({ story, title, cover, percent, minutesLeft }) => (
          <li key={story} className={styles.story}>
            <div className={styles.cover}>
              <Cover id={story} title={title} src={cover} size="small" />
            </div>
            <div className={styles.words}>
              <Link className={styles.link} to={readPath(story)}>
                {title}
              </Link>
              <p className={styles.left}>
                {percent} % · {minutesLeft} min left
              </p>
              <div className={styles.track} aria-hidden="true">
                <div className={styles.bar} style={{ inlineSize: `${percent}%` }} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
