import { useLocation } from "@remix-run/react";

import type { Message } from "#app/chat/message.ts";
import { toLivePath } from "#app/chat/room-address.ts";
import styles from "./feed.module.css";

/** Without scripts: shows messages as they arrive, below those of the page. */
export function LiveFrame({ after }: { after: Message | undefined }) {
  const { pathname, search } = useLocation();
  return (
    <noscript>
      <iframe
        className={styles.live}
        src={toLivePath({ after, around: pathname + search })}
        title="New messages"
        loading="lazy"
      />
    </noscript>
  );
}
