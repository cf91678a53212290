import { useState, type ComponentType, type MouseEvent } from "react";

import { IS_SCRIPTING } from "#app/site/page-scripts.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { InlineScript } from "#app/ui/inline-script.tsx";
import type { PlayerProps } from "./player.client.tsx";

export type ListenToolProps = Pick<PlayerProps, "story" | "text" | "onVoice"> & {
  className: string | undefined;
};

/** Shows the tool before the first paint where it works. */
const SHOW = import.meta.env.SSR
  ? `document.currentScript.previousElementSibling.hidden = !(${IS_SCRIPTING} && window.speechSynthesis);`
  : "";

const ICON =
  "M3 12v-2a7 7 0 0 1 14 0v2M3 12h3v5H4.5A1.5 1.5 0 0 1 3 15.5V12ZM17 12h-3v5h1.5a1.5 1.5 0 0 0 1.5-1.5V12Z";

/** The button that reads the story aloud. The player is loaded when it is about to be used. */
export function ListenTool({ className, ...props }: ListenToolProps) {
  const [Player, setPlayer] = useState<ComponentType<PlayerProps> | null>(null);
  /** `null` while the player is closed, otherwise whether it takes the focus. */
  const [takesFocus, setTakesFocus] = useState<boolean | null>(null);

  // If loading fails, the next use tries again.
  const load = () =>
    void import("./player.client.tsx").then(
      (loaded) => setPlayer(() => loaded.Player),
      () => setTakesFocus(null),
    );

  function press({ currentTarget, detail }: MouseEvent<HTMLElement>) {
    load();
    // The shortcut leaves the focus where it is.
    const isPressed = detail > 0 || document.activeElement === currentTarget;
    setTakesFocus(takesFocus === null ? isPressed : null);
    if (takesFocus !== null) currentTarget.focus({ preventScroll: true });
  }

  return (
    <>
      <div
        className={className}
        hidden={import.meta.env.SSR || !("speechSynthesis" in window)}
        suppressHydrationWarning
        data-listen
      >
        <button
          type="button"
          aria-expanded={takesFocus !== null}
          onPointerEnter={load}
          onFocus={load}
          // Otherwise pressing the button would clear the selection, where the voice begins.
          onPointerDown={(event) => event.preventDefault()}
          onClick={press}
        >
          <Icon path={ICON} />
          Listen
        </button>
      </div>
      <InlineScript code={SHOW} />
      {Player && takesFocus !== null ? (
        <Player {...props} takesFocus={takesFocus} onClose={() => setTakesFocus(null)} />
      ) : null}
    </>
  );
}
