import { useStoredSwitch } from "#app/site/use-stored-switch.ts";

const STORY_PATH_PREFIX = "/read/";

/** Whether screen readers announce new messages. */
export interface AnnouncementsSetting {
  isOn: boolean;
  setIsOn: (isOn: boolean) => void;
  /** Whether the setting is the one beside a story, which is separate, because announcements interrupt the reading. */
  isBesideStory: boolean;
}

/** @param path the path of the page that the room is on */
export function useAnnouncementsSetting(path: string): AnnouncementsSetting {
  const isBesideStory = path.startsWith(STORY_PATH_PREFIX);
  const elsewhere = useStoredSwitch("inkglade.announcements", true);
  const besideStory = useStoredSwitch("inkglade.announcements-beside-story");
  const [isOn, setIsOn] = isBesideStory ? besideStory : elsewhere;
  return { isOn: isOn ?? false, setIsOn, isBesideStory };
}
