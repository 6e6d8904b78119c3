/** Sentences in the reader's language. A catalogue is loaded when it is needed; English is always there. */
import type { Language } from "../api/types";
import en from "./en.json";

export type Key = keyof typeof en;
/** A key without its `.one` and `.other`. */
export type CountedKey = Key extends infer K ? (K extends `${infer Stem}.other` ? Stem : never) : never;
type Catalogue = Record<Key, string>;
type Details = Record<string, string | number>;

/** Each in its own words, so that whoever cannot read the page can still find theirs. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

const CATALOGUES: Record<Language, () => Promise<Catalogue>> = {
  en: () => Promise.resolve(en),
  de: () => import("./de.json").then((module) => keyed(module.default)),
  fr: () => import("./fr.json").then((module) => keyed(module.default)),
  es: () => import("./es.json").then((module) => keyed(module.default)),
};

/** Sentences with the keys of the English ones, in whose order they are. */
function keyed(sentences: object): Catalogue {
  const spoken: readonly string[] = Object.values(sentences);
  return Object.fromEntries(Object.keys(en).map((key, index) => [key, spoken[index]])) as Catalogue;
}

class Speech {
  language = $state<Language>("en");
  private catalogue = $state.raw<Catalogue>(en);
  private plural = $derived(new Intl.PluralRules(this.language));
  private list = $derived(new Intl.ListFormat(this.language, { type: "conjunction" }));

  /** Speak a language from now on. */
  async speak(language: Language): Promise<void> {
    const catalogue = await CATALOGUES[language]();
    this.catalogue = catalogue;
    this.language = language;
  }

  say(key: Key, details: Details = {}): string {
    return this.catalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => `${details[name] ?? whole}`);
  }

  /** A sentence that depends on a number, which it may name as `{count}`. */
  count(key: CountedKey, count: number, details: Details = {}): string {
    const wanted = `${key}.${this.plural.select(count)}`;
    const found = (wanted in this.catalogue ? wanted : `${key}.other`) as Key;
    return this.say(found, { count, ...details });
  }

  /** `43 %`, as the language writes it. */
  percent(share: number): string {
    return new Intl.NumberFormat(this.language, { style: "percent" }).format(share);
  }

  /** `a, b and c`. */
  all(things: readonly string[]): string {
    return this.list.format(things);
  }
}

export const speech = new Speech();
export const say = (key: Key, details?: Details) => speech.say(key, details);
export const count = (key: CountedKey, number: number, details?: Details) =>
  speech.count(key, number, details);

/** As at the beginning of a sentence; the name of a square stays as it is. */
export function capital(text: string): string {
  return /^[a-i][1-6]\b/.test(text)
    ? text
    : text.charAt(0).toLocaleUpperCase(speech.language) + text.slice(1);
}
