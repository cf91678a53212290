import { Avatar } from "#app/ui/avatar.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "../gallery.module.css";
import { Specimen, State } from "../specimen.tsx";

/** A record, so that a new icon must be added here too. */
const ICONS: Record<IconName, string> = {
  info: "Info",
  success: "Success",
  warn: "Warning",
  error: "Error",
  list: "List",
  back: "Back",
  forward: "Forward",
  close: "Close",
  check: "Check",
  down: "Down",
  more: "More",
  search: "Search",
  sun: "Sun",
  moon: "Moon",
  people: "People",
  device: "Device",
  quote: "Quote",
};

/** A data URL, so that nothing is fetched. */
const PHOTO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#2f6f5b"/><circle cx="16" cy="13" r="6" fill="#f3d9b8"/><path d="M4 34a12 12 0 0 1 24 0Z" fill="#f3d9b8"/></svg>',
)}`;

export function Display() {
  return (
    <>
      <Specimen
        name="Message banner"
        notes="Stays unless it has a life. Errors are announced at once."
      >
        <State name="Info, the default">
          <MessageBanner>New stories come on Fridays.</MessageBanner>
        </State>
        <State name="Success, dismissable">
          <MessageBanner severity="success" isDismissable>
            Story published.
          </MessageBanner>
        </State>
        <State name="Warning">
          <MessageBanner severity="warn">You seem to be offline.</MessageBanner>
        </State>
        <State name="Error, with a hint">
          <MessageBanner severity="error" hint="Nothing was lost. Try again in a moment.">
            We couldn&apos;t save the story
          </MessageBanner>
        </State>
      </Specimen>
      <Specimen
        name="Avatar"
        notes="32, or 96. Without a photo nothing is shown, not even initials."
      >
        <State name="Small, beside a name">
          <div className={styles.row}>
            <Avatar src={PHOTO} /> Robin Vale
          </div>
        </State>
        <State name="Large">
          <Avatar src={PHOTO} size="large" />
        </State>
      </Specimen>
      <Specimen name="Icon" notes="20 × 20. Next to text, or in a button with an accessible name.">
        <ul className={`${styles.swatches} ${styles.all}`}>
          {Object.entries(ICONS).map(([name, title]) => (
            <li key={name} className={styles.swatch}>
              {isIconName(name) ? <Icon name={name} /> : null}
              {title}
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen name="Visually hidden" notes="Text for screen readers only.">
        <State name="Followed by three hidden names">
          <p>
            3 here.
            <VisuallyHidden> Ana, Robin, Sam</VisuallyHidden>
          </p>
        </State>
      </Specimen>
    </>
  );
}

function isIconName(name: string): name is IconName {
  return name in ICONS;
}
