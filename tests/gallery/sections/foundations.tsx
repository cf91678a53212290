import styles from "../gallery.module.css";
import { Specimen, State } from "../specimen.tsx";

const COLOURS = {
  "Background and text": [
    "bg",
    "surface",
    "surface-2",
    "border",
    "border-strong",
    "text",
    "text-2",
    "text-3",
  ],
  "Green: actions and the current page": [
    "primary",
    "primary-fill",
    "on-primary",
    "primary-hover",
    "primary-active",
    "primary-text",
    "primary-soft",
    "on-primary-soft",
    "focus",
  ],
  "Ember: only for live content": ["live", "live-soft"],
  Severities: [
    "danger",
    "danger-fill",
    "on-danger",
    "danger-soft",
    "on-danger-soft",
    "warn",
    "warn-soft",
    "on-warn-soft",
    "info",
    "info-soft",
    "on-info-soft",
    "success-soft",
    "on-success-soft",
  ],
  "Message bubbles": ["own", "on-own", "own-meta", "other", "on-other", "other-meta"],
  "Backdrop of dialogs": ["backdrop"],
};

const TYPES = [
  ["hero", "Stories, in good company."],
  ["title", "Sign in to Inkglade"],
  ["h2", "Continue reading"],
  ["h3", "The Glass Apiary"],
  ["card", "Salt for the Clockmaker"],
  ["wordmark", "Inkglade"],
  ["body", "Nothing was lost. Try again in a moment."],
  ["nav", "Home"],
  ["button", "Continue"],
  ["label", "E-mail"],
  ["meta", "12 minutes, yesterday"],
  ["small", "Small print, never below 13 pixels"],
  ["read", "The ferry came late, and nobody at the inn had thought to keep the lamp."],
] as const;

const SPACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

const SHAPES = [
  ["radius-1", "4: tags, small covers"],
  ["radius-2", "6: chips, dense buttons"],
  ["radius-3", "8: buttons, fields, banners"],
  ["radius-4", "12: cards, panels, dialogs"],
] as const;

export function Foundations() {
  return (
    <>
      <Specimen
        name="Colour tokens"
        notes="Always in both themes. Never use --primary for text or as the only sign of a state."
      >
        <div className={`${styles.themes} ${styles.all}`}>
          {(["light", "dark"] as const).map((theme) => (
            <div key={theme} className={styles.theme} data-theme={theme}>
              <h4>{theme === "light" ? "Light" : "Dark"}</h4>
              {Object.entries(COLOURS).map(([group, names]) => (
                <ul key={group} className={styles.swatches} aria-label={group}>
                  {names.map((name) => (
                    <li key={name} className={styles.swatch}>
                      <span className={styles.chip} style={{ background: `var(--${name})` }} />
                      {name}
                    </li>
                  ))}
                </ul>
              ))}
            </div>
          ))}
        </div>
      </Specimen>
      <Specimen
        name="Type"
        notes="Each token is a value of “font”. Headings have tighter tracking."
      >
        <State name="Figtree, Fraunces, Literata" isWide>
          <div className={styles.types}>
            {TYPES.map(([name, text]) => (
              <div key={name}>
                <p className={styles.caption}>--type-{name}</p>
                <p style={{ font: `var(--type-${name})` }}>{text}</p>
              </div>
            ))}
          </div>
        </State>
      </Specimen>
      <Specimen name="Radii, shadow, space">
        {SHAPES.map(([name, use]) => (
          <State key={name} name={use}>
            <span className={styles.shape} style={{ borderRadius: `var(--${name})` }} />
          </State>
        ))}
        <State name="The shadow, for overlays">
          <span
            className={styles.shape}
            style={{ borderRadius: "var(--radius-4)", boxShadow: "var(--shadow)" }}
          />
        </State>
        <State name="Space: 4 8 12 16 20 24 32 40 48 64 80" isWide>
          <div className={styles.row}>
            {SPACES.map((step) => (
              <span key={step} className={styles.space} style={{ width: `var(--s${step})` }} />
            ))}
          </div>
        </State>
      </Specimen>
    </>
  );
}
