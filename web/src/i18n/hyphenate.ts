/**
 * The long names of motifs with a soft hyphen, for cards and steps that may be narrower than a word. `hyphens: auto` does
 * not suffice: where a browser has no dictionary, the word is broken anywhere.
 */
const PARTS = /(Kräuter|Rosen)(schnecke|bogen)/g;

export const hyphenated = (name: string): string => name.replace(PARTS, "$1\u00ad$2");

/** A consonant after a vowel and before one; some are written with several letters. */
const CONSONANT =
  /(?<=[aeiouyà-öø-ÿ]\p{L}*)(?<=\p{L}{2})(sch|[cpt]h|ck|qu|(?![aeiouyà-öø-ÿ])\p{L})(?=[aeiouyà-öø-ÿ]\p{L})/giu;

/** A name in any language with soft hyphens between most of its syllables, for columns narrower than a word. */
export const hyphenatedName = (name: string): string => name.replace(CONSONANT, "\u00ad$1");
