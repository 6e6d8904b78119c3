/**
 * The long names of motifs with a soft hyphen, for cards and steps that may be narrower than a word. `hyphens: auto` does
 * not suffice: where a browser has no dictionary, the word is broken anywhere.
 */
const PARTS = /(Kräuter|Rosen)(schnecke|bogen)/g;

export const hyphenated = (name: string): string => name.replace(PARTS, "$1\u00ad$2");
