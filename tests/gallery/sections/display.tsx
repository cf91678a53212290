import { Avatar } from "#app/ui/avatar.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#app/ui/tabs.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "../gallery.module.css";
import { Specimen, State } from "../specimen.tsx";

/** By name, so that a drawing that is added must be shown here too. */
const ICONS: Record<IconName, string> = {
  info: "Info",
  success: "Success",
  warn: "Warning",
  error: "Error",
  close: "Close",
  check: "Check",
  down: "Down",
  more: "More",
  sun: "Sun",
  moon: "Moon",
  device: "Device",
};

const SHELVES = ["Stories", "Drafts", "Reading", "Finished", "Lists", "Letters"];

/** A face of two shapes, so that nothing is fetched. */
const PHOTO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#2f6f5b"/><circle cx="16" cy="13" r="6" fill="#f3d9b8"/><path d="M4 34a12 12 0 0 1 24 0Z" fill="#f3d9b8"/></svg>',
)}`;

export function Display() {
  return (
    <>
      <Specimen
        name="Tabs"
        notes="44 high. Arrows move and choose, Tab goes into the panel. A row that is too long scrolls."
      >
        <State name="With one disabled">
          <Tabs defaultSelectedKey="stories">
            <TabList label="Your things">
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
        <State name="Longer than its place">
          <Tabs>
            <TabList label="Shelves">
              {SHELVES.map((shelf) => (
                <Tab key={shelf} id={shelf}>
                  {shelf}
                </Tab>
              ))}
            </TabList>
            {SHELVES.map((shelf) => (
              <TabPanel key={shelf} id={shelf}>
                The shelf of {shelf.toLowerCase()}.
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
      <Specimen name="Icon" notes="One line weight, 20 × 20, beside words or in a key with a name.">
        <ul className={`${styles.swatches} ${styles.all}`}>
          {Object.entries(ICONS).map(([name, title]) => (
            <li key={name} className={styles.swatch}>
              {isIconName(name) ? <Icon name={name} /> : null}
              {title}
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen name="Visually hidden" notes="Words only for those who listen to the page.">
        <State name="After the dot stand three of them">
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
