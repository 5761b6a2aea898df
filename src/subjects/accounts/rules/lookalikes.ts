import { normalised } from '#lib/unicode.ts';

/**
 * Letters, digits and signs that look like Latin letters: those of Unicode's confusables (UTS #39) that `refuseName`
 * allows in a name of one alphabet.
 */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
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
  // Latin letters whose strokes decomposition does not remove
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
  // I, 1 and | look like l.
  I: 'l',
  '1': 'l',
  '|': 'l',
  '!': 'l',
  '0': 'o',
  $: 's',
  '@': 'a',
};

/**
 * A form of a name that is equal for names which look alike. Ignores accents, letter case and repeated blanks; equates
 * similar letters, `rn` with `m` and `vv` with `w`.
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

/** A skeleton in which i equals l, because the two look alike in capitals. */
const reservedForm = (name: string): string => skeletonOf(name).replaceAll('i', 'l');

const OF_THE_HOUSE = ['moderator', 'support', 'system', 'root', 'staff', 'official'].map(reservedForm);
const ADMINISTRATORS = ['admin', 'administrator'].map(reservedForm);
const BEGINNINGS = ['admin', 'formeruser', 'formermember', 'deleteduser'].map(reservedForm);
const PRODUCT = reservedForm('bellbird');

/** Whether a name could be mistaken for a reserved one or for a deleted account. */
export function isReserved(name: string): boolean {
  const words = reservedForm(name).split(/[^\p{L}\p{N}]{1,60}/u);
  const letters = words.join('');
  return (
    letters.includes(PRODUCT) ||
    OF_THE_HOUSE.includes(letters) ||
    words.some((word) => ADMINISTRATORS.includes(word)) ||
    BEGINNINGS.some((beginning) => letters.startsWith(beginning))
  );
}
