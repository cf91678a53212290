import { Link } from "@remix-run/react";

import type { Finding } from "#app/schemas/sample-item.ts";
import { Cover } from "./cover.tsx";
import styles from "./story-item.module.css";

/** One of a list of stories. Its title is the link, and all of it can be pressed. */
export function StoryItem({ title, description, type, imgPath, readLink, author }: Finding) {
  return (
    <li className={styles.story}>
      <div className={styles.cover}>
        <Cover id={idOf(readLink)} title={title} src={imgPath} size="small" />
      </div>
      <div className={styles.words}>
        <p className={styles.tag} data-type={type}>
          {author === undefined ? NAMES[type] : "Story"}
        </p>
        <h3 className={styles.title}>
          <Link className={styles.link} to={readLink}>
            {title}
          </Link>
        </h3>
        {author === undefined ? null : <p className={styles.author}>{author}</p>}
        {description ? <p className={styles.description}>{description}</p> : null}
      </div>
    </li>
  );
}

const NAMES = { book: "Book", quest: "Quest" };

/** The last part of a link, so that a book is drawn alike wherever it stands. */
function idOf(readLink: string): string {
  return decodeURIComponent(readLink.slice(readLink.lastIndexOf("/") + 1));
}
