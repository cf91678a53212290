import type { Message } from "#app/chat/message.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LEAF } from "./icon-paths.ts";
import styles from "./picture.module.css";

/** Someone's photo; without one, a leaf. */
export function Picture({ photoURL }: Pick<Message, "photoURL">) {
  if (photoURL) return <Avatar src={photoURL} />;
  return (
    <span className={styles.noPhoto}>
      <Icon path={LEAF} />
    </span>
  );
}
