/**
 * Sentences in the reader's language. A catalogue is loaded when it is needed; English is always there. What is said
 * in places beside the table only is in catalogues of their own, and loaded with the first of these places.
 */
import type { Language } from "../net/types";
import type places from "./features-en.json";
import en from "./en.json";

export type Key = keyof typeof en | keyof typeof places;
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

type Loader = () => Promise<{ readonly default: object }>;

const CATALOGUES: Record<Language, Loader> = {
  en: () => Promise.resolve({ default: en }),
  de: () => import("./de.json"),
  fr: () => import("./fr.json"),
  es: () => import("./es.json"),
};
const BESIDE: Record<Language, Loader> = {
  en: () => import("./features-en.json"),
  de: () => import("./features-de.json"),
  fr: () => import("./features-fr.json"),
  es: () => import("./features-es.json"),
};

/** Sentences with the keys of the English ones, in whose order they are. */
async function load(catalogues: Record<Language, Loader>, language: Language): Promise<object> {
  const [english, other] = await Promise.all([catalogues.en(), catalogues[language]()]);
  const spoken: readonly string[] = Object.values(other.default);
  return Object.fromEntries(Object.keys(english.default).map((key, index) => [key, spoken[index]]));
}

class Speech {
  language = $state<Language>("en");
  private catalogue = $state.raw<Partial<Catalogue>>(en);
  /** The language that was asked for last, how many were until then, and when it is there. */
  private wanted: Language = "en";
  private asked = 0;
  private latest: Promise<void> = Promise.resolve();
  private widened: Promise<void> | null = null;
  private plural = $derived(new Intl.PluralRules(this.language));
  private list = $derived(new Intl.ListFormat(this.language, { type: "conjunction" }));

  /** Speak a language from now on. */
  speak(language: Language): Promise<void> {
    this.wanted = language;
    return (this.latest = this.change(language, ++this.asked));
  }

  /** Speak also of places beside the table from now on; what could not be loaded is tried again the next time. */
  async widen(): Promise<void> {
    this.widened ??= Promise.resolve().then(() => this.speak(this.wanted));
    try {
      await this.widened;
    } catch (trouble) {
      this.widened = null;
      throw trouble;
    }
  }

  /** Who is overtaken waits for the one who was asked last. */
  private async change(language: Language, number: number): Promise<void> {
    const loaded = [load(CATALOGUES, language), this.widened === null ? {} : load(BESIDE, language)];
    const [table, places] = await Promise.all(loaded);
    if (number !== this.asked) return this.latest;
    this.catalogue = { ...table, ...places };
    this.language = language;
  }

  say(key: Key, details: Details = {}): string {
    return (this.catalogue[key] ?? key).replace(
      /\{(\w+)\}/g,
      (whole, name: string) => `${details[name] ?? whole}`,
    );
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

/** A place beside the table, once it and its words are there. */
export async function beside<Place>(place: Promise<Place>): Promise<Place> {
  await speech.widen();
  return place;
}

/** As at the beginning of a sentence; the name of a square stays as it is. */
export function capital(text: string): string {
  return /^[a-i][1-6]\b/.test(text)
    ? text
    : text.charAt(0).toLocaleUpperCase(speech.language) + text.slice(1);
}
