/**
 * The languages that a story can be in: their BCP 47 tags, and their own names. Sorted by name for readers of Latin
 * letters; the other scripts follow.
 */
export const LANGUAGES: readonly (readonly [tag: string, name: string])[] = [
  ["id", "Bahasa Indonesia"],
  ["ms", "Bahasa Melayu"],
  ["ca", "Català"],
  ["cs", "Čeština"],
  ["cy", "Cymraeg"],
  ["da", "Dansk"],
  ["de", "Deutsch"],
  ["et", "Eesti"],
  ["en", "English"],
  ["es", "Español"],
  ["eo", "Esperanto"],
  ["eu", "Euskara"],
  ["fil", "Filipino"],
  ["fr", "Français"],
  ["ga", "Gaeilge"],
  ["gl", "Galego"],
  ["hr", "Hrvatski"],
  ["is", "Íslenska"],
  ["it", "Italiano"],
  ["sw", "Kiswahili"],
  ["lv", "Latviešu"],
  ["lt", "Lietuvių"],
  ["hu", "Magyar"],
  ["nl", "Nederlands"],
  ["nb", "Norsk bokmål"],
  ["nn", "Norsk nynorsk"],
  ["pl", "Polski"],
  ["pt", "Português"],
  ["pt-BR", "Português (Brasil)"],
  ["ro", "Română"],
  ["sq", "Shqip"],
  ["sk", "Slovenčina"],
  ["sl", "Slovenščina"],
  ["fi", "Suomi"],
  ["sv", "Svenska"],
  ["vi", "Tiếng Việt"],
  ["tr", "Türkçe"],
  ["el", "Ελληνικά"],
  ["be", "Беларуская"],
  ["bg", "Български"],
  ["mk", "Македонски"],
  ["ru", "Русский"],
  ["sr", "Српски"],
  ["uk", "Українська"],
  ["hy", "Հայերեն"],
  ["ka", "ქართული"],
  ["yi", "ייִדיש"],
  ["he", "עברית"],
  ["ar", "العربية"],
  ["fa", "فارسی"],
  ["ur", "اردو"],
  ["bn", "বাংলা"],
  ["hi", "हिन्दी"],
  ["mr", "मराठी"],
  ["ta", "தமிழ்"],
  ["te", "తెలుగు"],
  ["th", "ไทย"],
  ["ko", "한국어"],
  ["ja", "日本語"],
  ["zh-Hans", "简体中文"],
  ["zh-Hant", "繁體中文"],
];

/** The language of the built-in stories, and of a new story if the browser's is not in the list. */
export const ENGLISH = "en";

/** Returns the tag as the list has it; `undefined` if it is not in the list. */
export function findLanguage(tag: unknown): string | undefined {
  const lower = typeof tag === "string" ? tag.toLowerCase() : undefined;
  return LANGUAGES.find(([listed]) => listed.toLowerCase() === lower)?.[0];
}

/** Returns a language's own name, or its tag if it is not in the list. */
export function getLanguageName(tag: string): string {
  return LANGUAGES.find(([listed]) => listed === tag)?.[1] ?? tag;
}

/** Returns the first language of a browser's that is in the list, such as `de` for `de-AT`; otherwise English. */
export function chooseLanguage(languages: readonly (string | undefined)[]): string {
  for (const language of languages) {
    const found = findLanguage(language) ?? findLanguage(toListed(language ?? ""));
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

/** Returns the tag that the list has for a regional one. */
function toListed(language: string): string {
  const [name = ""] = language.toLowerCase().split("-");
  if (name === "zh") return /-(?:hant|tw|hk|mo)\b/i.test(language) ? "zh-Hant" : "zh-Hans";
  return { no: "nb", iw: "he", in: "id", tl: "fil" }[name] ?? name;
}
