import { normalised } from '#lib/unicode.ts';

/**
 * Letters of other alphabets that are drawn as Latin ones, and digits and signs that are: of Unicode's confusables (UTS #39)
 * those that can stand in a name of one alphabet, as `refuseName` lets no others in. Pairs of what is seen and what it is
 * taken for.
 */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  // Cyrillic
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ё: 'e',
  һ: 'h',
  н: 'h',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  у: 'y',
  ү: 'y',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  ӏ: 'l',
  п: 'n',
  з: '3',
  б: '6',
  А: 'a',
  В: 'b',
  С: 'c',
  Е: 'e',
  Н: 'h',
  І: 'l',
  Ј: 'j',
  К: 'k',
  М: 'm',
  О: 'o',
  Р: 'p',
  Ѕ: 's',
  Т: 't',
  У: 'y',
  Х: 'x',
  Ү: 'y',
  Ӏ: 'l',
  З: '3',
  // Greek
  α: 'a',
  β: 'b',
  γ: 'y',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  Α: 'a',
  Β: 'b',
  Ε: 'e',
  Ζ: 'z',
  Η: 'h',
  Ι: 'l',
  Κ: 'k',
  Μ: 'm',
  Ν: 'n',
  Ο: 'o',
  Ρ: 'p',
  Τ: 't',
  Υ: 'y',
  Χ: 'x',
  ς: 'c',
  // Armenian
  ա: 'w',
  օ: 'o',
  ո: 'n',
  ս: 'u',
  հ: 'h',
  ց: 'g',
  գ: 'q',
  զ: 'q',
  ք: 'f',
  յ: 'j',
  // Latin of other languages, whose strokes no decomposition takes off
  ı: 'i',
  ȷ: 'j',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  þ: 'p',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ŋ: 'n',
  Ø: 'o',
  Đ: 'd',
  Ð: 'd',
  Ħ: 'h',
  Ł: 'l',
  Ŧ: 't',
  Þ: 'p',
  Æ: 'ae',
  Œ: 'oe',
  ǃ: 'l',
  ǀ: 'l',
  // A capital I, a one and a bar are drawn as an l.
  I: 'l',
  '1': 'l',
  '|': 'l',
  '!': 'l',
  '0': 'o',
  $: 's',
  '@': 'a',
};

/**
 * What a name looks like: two names with the same skeleton are easily taken for each other. Accents are left out, letters
 * that are drawn alike are one, `rn` is `m` and `vv` is `w`; letter case and blanks in a row do not count.
 *
 * @param name of a bounded length
 */
export function skeletonOf(name: string): string {
  const bare = normalised(normalised(name.trim(), 'NFKC'), 'NFKD').replaceAll(/\p{M}/gu, '');
  const drawn = [...bare].map((letter) => DRAWN_ALIKE[letter] ?? letter).join('');
  const lower = drawn.toLowerCase();
  return [...lower]
    .map((letter) => DRAWN_ALIKE[letter] ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/\s{1,60}/g, ' ');
}

/** As a skeleton, with every i as an l: in capitals they are drawn alike. */
const houseForm = (name: string): string => skeletonOf(name).replaceAll('i', 'l');

/** Names by which only the house speaks. */
const OF_THE_HOUSE = ['moderator', 'support', 'system', 'root', 'staff', 'official'].map(houseForm);
const ADMINISTRATORS = ['admin', 'administrator'].map(houseForm);
const BEGINNINGS = ['admin', 'formeruser', 'formermember', 'deleteduser'].map(houseForm);
const PRODUCT = houseForm('bellbird');

/** Whether a name could be taken for the house's own, or for that of an account that was deleted. */
export function isOfTheHouse(name: string): boolean {
  const words = houseForm(name).split(/[^\p{L}\p{N}]{1,60}/u);
  const letters = words.join('');
  return (
    letters.includes(PRODUCT) ||
    OF_THE_HOUSE.includes(letters) ||
    words.some((word) => ADMINISTRATORS.includes(word)) ||
    BEGINNINGS.some((beginning) => letters.startsWith(beginning))
  );
}
