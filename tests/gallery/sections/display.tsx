import { Avatar } from "#app/ui/avatar.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#app/ui/tabs.tsx";
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

const MANY_TABS = ["Stories", "Drafts", "Reading", "Finished", "Lists", "Letters"];

/** A data URL, so that nothing is fetched. */
const PHOTO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#2f6f5b"/><circle cx="16" cy="13" r="6" fill="#f3d9b8"/><path d="M4 34a12 12 0 0 1 24 0Z" fill="#f3d9b8"/></svg>',
)}`;

export function Display() {
  return (
    <>
      <Specimen
        name="Tabs"
        notes="44 high. Arrows move and select, Tab goes into the panel. A long row scrolls."
      >
        <State name="With one disabled">
          <Tabs defaultSelectedKey="stories">
            <TabList label="Your library">
              <Tab id="stories">Stories</Tab>
              <Tab id="drafts">Drafts</Tab>
              <Tab id="letters" isDisabled>
                Letters
              </Tab>
            </TabList>
            <TabPanel id="stories">Four stories, of which two are finished.</TabPanel>
            <TabPanel id="drafts">Nothing here yet. Start with a first line.</TabPanel>
            <TabPanel id="letters">No letters.</TabPanel>
          </Tabs>
        </State>
        <State name="Too long for its container">
          <Tabs>
            <TabList label="Many tabs">
              {MANY_TABS.map((tab) => (
                <Tab key={tab} id={tab}>
                  {tab}
                </Tab>
              ))}
            </TabList>
            {MANY_TABS.map((tab) => (
              <TabPanel key={tab} id={tab}>
                The tab {tab}.
              </TabPanel>
            ))}
          </Tabs>
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
