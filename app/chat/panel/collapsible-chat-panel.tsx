import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";

import googleForm from "#app/accounts/google/google-form.module.css";
import avatar from "#app/ui/avatar.module.css";
import messageBanner from "#app/ui/message-banner.module.css";
import bubble from "./bubble.module.css";
import chatHeader from "./chat-header.module.css";
import chatPanel from "./chat-panel.module.css";
import composer from "./composer.module.css";
import feed from "./feed.module.css";
import messageItem from "./message-item.module.css";
import messageList from "./message-list.module.css";
import messageMenu from "./message-menu.module.css";
import messageText from "./message-text.module.css";
import typingIndicator from "./typing-indicator.module.css";
import { ChatPanel, type ChatPanelProps } from "./chat-panel.tsx";
import styles from "./collapsible-chat-panel.module.css";

/** The styles of the panel, which has to be styled without scripts too. Vite drops those that no code uses. */
const PANEL_STYLES = [
  googleForm,
  avatar,
  messageBanner,
  bubble,
  chatHeader,
  chatPanel,
  composer,
  feed,
  messageItem,
  messageList,
  messageMenu,
  messageText,
  typingIndicator,
];

/** The hashes of links to the room. They open it. */
const ROOM_HASHES = ["#room", "#newest", "#earlier"];

/**
 * The chat panel at the end of a page, collapsed at first. Opens without scripts as well. With scripts its code is loaded
 * when the user opens it; until then the server's HTML stays as it is.
 */
export function CollapsibleChatPanel(props: Omit<ChatPanelProps, "isOpen" | "typed">) {
  const details = useRef<HTMLDetailsElement>(null);
  const { hash, key } = useLocation();
  const hasError = props.result?.status === "error" || props.signInError !== undefined;
  const [isOpen, setIsOpen] = useState(hasError || props.room.isEarlier);
  const loaded = useLoadedPanel(isOpen, details);

  useEffect(() => {
    // The user may have opened it before hydration.
    if (details.current?.open) setIsOpen(true);
  }, []);

  const isLoaded = loaded !== null;
  const scrolledKey = useRef<string>();
  useEffect(() => {
    if (!ROOM_HASHES.includes(hash) || !details.current) return;
    details.current.open = true;
    // After a navigation by script there is no panel until its code is loaded.
    const target = document.getElementById(hash.slice(1));
    if (!target || scrolledKey.current === key) return;
    scrolledKey.current = key;
    target.scrollIntoView();
  }, [hash, key, isLoaded]);

  return (
    <details
      ref={details}
      className={styles.details}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      data-room
    >
      <summary className={styles.summary}>The room</summary>
      {loaded ? (
        <loaded.Panel {...props} isOpen={isOpen} typed={loaded.typed} />
      ) : (
        <ServerPanel {...props} />
      )}
    </details>
  );
}

/** The panel as the server has rendered it: the browser's build contains no code for it, and React leaves it alone. */
function ServerPanel(props: ChatPanelProps) {
  return import.meta.env.SSR ? (
    <div>
      <ChatPanel {...props} />
    </div>
  ) : (
    // oxlint-disable-next-line react/no-danger -- React keeps the server's HTML, and adds none
    <div
      suppressHydrationWarning
      data-styles={PANEL_STYLES.length}
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}

interface LoadedPanel {
  Panel: typeof ChatPanel;
  typed: ChatPanelProps["typed"];
}

/** Loads the panel once `isNeeded`. After a failure it tries again when the browser is back online. */
function useLoadedPanel(isNeeded: boolean, details: RefObject<HTMLElement>): LoadedPanel | null {
  const [loaded, setLoaded] = useState<LoadedPanel | null>(null);

  useEffect(() => {
    if (!isNeeded || loaded) return;
    let isStopped = false;

    function load() {
      import("./chat-panel.tsx").then(
        ({ ChatPanel: Panel }) => {
          if (isStopped) return;
          const field = details.current?.querySelector("textarea");
          const isFocused = field !== undefined && field === document.activeElement;
          setLoaded({ Panel, typed: { text: field?.value ?? "", isFocused } });
        },
        // Until then the form works without scripts.
        () => {},
      );
    }

    load();
    addEventListener("online", load);
    return () => {
      isStopped = true;
      removeEventListener("online", load);
    };
  }, [isNeeded, loaded, details]);

  return loaded;
}
