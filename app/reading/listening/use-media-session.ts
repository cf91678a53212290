import { useEffect } from "react";

export interface MediaControls {
  play: () => void;
  pause: () => void;
  skip: (by: 1 | -1) => void;
}

/** Lets the device's media keys control the voice, where the browser supports it. */
export function useMediaSession(
  { title, author }: { title: string; author: string },
  isPlaying: boolean,
  { play, pause, skip }: MediaControls,
): void {
  useEffect(() => {
    if (!("mediaSession" in navigator)) return undefined;
    const { mediaSession } = navigator;
    const handlers: [MediaSessionAction, () => void][] = [
      ["play", play],
      ["pause", pause],
      ["stop", pause],
      ["nexttrack", () => skip(1)],
      ["previoustrack", () => skip(-1)],
    ];
    mediaSession.metadata = new MediaMetadata({ title, artist: author });
    for (const [action, handle] of handlers) mediaSession.setActionHandler(action, handle);
    return () => {
      mediaSession.metadata = null;
      mediaSession.playbackState = "none";
      for (const [action] of handlers) mediaSession.setActionHandler(action, null);
    };
  }, [title, author, play, pause, skip]);

  useEffect(() => {
    if ("mediaSession" in navigator) {
      navigator.mediaSession.playbackState = isPlaying ? "playing" : "paused";
    }
  }, [isPlaying]);
}
