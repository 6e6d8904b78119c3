/**
 * Translations. A catalogue is loaded when its language is needed; English is always there. The texts of the features
 * are in separate catalogues, which are loaded with the first feature.
 */
import type { Language } from "../net/types";
import type features from "./features-en.json";
import en from "./en.json";
import { formatPoints } from "./formatPoints";

export type MessageKey = keyof typeof en | keyof typeof features;
/** A key without its `.one` and `.other`. */
export type PluralKey = MessageKey extends infer K ? (K extends `${infer Stem}.other` ? Stem : never) : never;
type Catalogue = Record<MessageKey, string>;
type Details = Record<string, string | number>;

/** Each in its own language, so that users can find theirs on a page they cannot read. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

/** Before such names French writes d’ instead of “de”; squares such as a3 are read letter by letter. */
const ELIDED = /^(?![a-i]\d)[aeiouhàâéèêëîïôöùûüœæ]/i;

type Loader = () => Promise<{ readonly default: object }>;

const CATALOGUES: Record<Language, Loader> = {
  en: () => Promise.resolve({ default: en }),
  de: () => import("./de.json"),
  fr: () => import("./fr.json"),
  es: () => import("./es.json"),
};
const FEATURES: Record<Language, Loader> = {
  en: () => import("./features-en.json"),
  de: () => import("./features-de.json"),
  fr: () => import("./features-fr.json"),
  es: () => import("./features-es.json"),
};

/** A catalogue with the keys of the English one; built catalogues contain only values, in the same order. */
async function load(catalogues: Record<Language, Loader>, language: Language): Promise<object> {
  const [english, other] = await Promise.all([catalogues.en(), catalogues[language]()]);
  const spoken: readonly string[] = Object.values(other.default);
  return Object.fromEntries(Object.keys(english.default).map((key, index) => [key, spoken[index]]));
}

class I18n {
  language = $state<Language>("en");
  private catalogue = $state.raw<Partial<Catalogue>>(en);
  /** The language requested last, the number of requests so far, and the promise of the last one. */
  private wanted: Language = "en";
  private requests = 0;
  private latest: Promise<void> = Promise.resolve();
  private featureTexts: Promise<void> | null = null;
  private plural = $derived(new Intl.PluralRules(this.language));
  private listFormat = $derived(new Intl.ListFormat(this.language, { type: "conjunction" }));

  setLanguage(language: Language): Promise<void> {
    this.wanted = language;
    return (this.latest = this.change(language, ++this.requests));
  }

  /** Load the texts of the features too; a failed download is tried again next time. */
  async loadFeatureTexts(): Promise<void> {
    this.featureTexts ??= Promise.resolve().then(() => this.setLanguage(this.wanted));
    try {
      await this.featureTexts;
    } catch (error) {
      this.featureTexts = null;
      throw error;
    }
  }

  /** A request that was replaced by a newer one resolves with it. */
  private async change(language: Language, number: number): Promise<void> {
    const loaded = [load(CATALOGUES, language), this.featureTexts === null ? {} : load(FEATURES, language)];
    const [table, features] = await Promise.all(loaded);
    if (number !== this.requests) return this.latest;
    this.catalogue = { ...table, ...features };
    this.language = language;
  }

  translate(key: MessageKey, details: Details = {}): string {
    return (this.catalogue[key] ?? key).replace(
      /(\bde )?\{(\w+)\}/g,
      (_, of: string | undefined, name: string) => {
        const value = `${details[name] ?? `{${name}}`}`;
        return of !== undefined && this.language === "fr" && ELIDED.test(value)
          ? `d’${value}`
          : (of ?? "") + value;
      },
    );
  }

  /** A text in the singular or plural for a number, which it may contain as `{count}`. */
  translateCount(key: PluralKey, count: number, details: Details = {}): string {
    const wanted = `${key}.${this.plural.select(count)}`;
    const found = (wanted in this.catalogue ? wanted : `${key}.other`) as MessageKey;
    return this.translate(found, { count: formatPoints(count), ...details });
  }

  /** `43 %`, in the format of the language. */
  percent(share: number): string {
    return new Intl.NumberFormat(this.language, { style: "percent" }).format(share);
  }

  /** A gain or loss with one decimal, in the format of the language: `+4.3`, `−7.0`, `0.0`. */
  gain(points: number): string {
    const format = new Intl.NumberFormat(this.language, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
    });
    return format.format(points).replace("-", "−");
  }

  /** `a, b and c`. */
  list(things: readonly string[]): string {
    return this.listFormat.format(things);
  }
}

export const i18n = new I18n();
export const t = (key: MessageKey, details?: Details) => i18n.translate(key, details);
export const tn = (key: PluralKey, number: number, details?: Details) =>
  i18n.translateCount(key, number, details);

/** A lazily loaded module, once its texts have loaded too. */
export async function withFeatureTexts<Module>(module: Promise<Module>): Promise<Module> {
  await i18n.loadFeatureTexts();
  return module;
}

/** With a full stop, unless the text ends with punctuation; screen readers pause after it. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** With a capital first letter; the name of a square stays lower case. */
export function capitalize(text: string): string {
  return /^[a-i][1-6]\b/.test(text) ? text : text.charAt(0).toLocaleUpperCase(i18n.language) + text.slice(1);
}
