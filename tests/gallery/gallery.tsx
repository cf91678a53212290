import { useEffect, useState, type ReactNode } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";

import styles from "./gallery.module.css";
import { Actions } from "./sections/actions.tsx";
import { Display } from "./sections/display.tsx";
import { Forms } from "./sections/forms.tsx";
import { Foundations } from "./sections/foundations.tsx";
import { Overlays } from "./sections/overlays.tsx";

const SECTIONS: { id: string; title: string; content: ReactNode }[] = [
  { id: "foundations", title: "Colour, type, shape", content: <Foundations /> },
  { id: "actions", title: "Buttons and links", content: <Actions /> },
  { id: "forms", title: "Form controls", content: <Forms /> },
  { id: "overlays", title: "Dialog, menu", content: <Overlays /> },
  { id: "display", title: "Messages, avatars, icons", content: <Display /> },
];

/** Every component of the design system in every state. */
export function Gallery() {
  const [theme, setTheme] = useState("system");
  const [direction, setDirection] = useState("ltr");
  useRootTheme(theme, direction);

  return (
    <I18nProvider locale={direction === "rtl" ? "ar" : "en"}>
      <header className={styles.header}>
        <div>
          <h1>Component gallery</h1>
          <p className={styles.lead}>
            Point at components and press them for their hovered and pressed states; use Tab for the
            focus ring. Browsers&apos; developer tools emulate forced colours and reduced motion.
          </p>
        </div>
        <div className={styles.settings}>
          <label>
            Theme
            <select value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
              <option value="system">System</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
          <label>
            Direction
            <select value={direction} onChange={(event) => setDirection(event.currentTarget.value)}>
              <option value="ltr">Left to right</option>
              <option value="rtl">Right to left</option>
            </select>
          </label>
        </div>
      </header>
      <nav className={styles.contents} aria-label="Sections">
        {SECTIONS.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <main className={styles.main}>
        {SECTIONS.map(({ id, title, content }) => (
          <section key={id} id={id} className={styles.section} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {content}
          </section>
        ))}
      </main>
    </I18nProvider>
  );
}

function useRootTheme(theme: string, direction: string) {
  useEffect(() => {
    const root = document.documentElement;
    root.dir = direction;
    root.classList.toggle("dark-theme", theme === "dark");
    if (theme === "system") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }, [theme, direction]);
}
