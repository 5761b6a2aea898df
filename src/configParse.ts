/** What a parser answers when a text will not do: the end of the sentence that starts with the setting's name. */
export type Wrong = { wrong: string };
export type Parse<T> = (raw: string) => T | Wrong;

export const isWrong = (value: unknown): value is Wrong =>
  typeof value === 'object' && value !== null && 'wrong' in value;

/** Any text; surrounding blanks are dropped. */
export const text: Parse<string> = (raw) => raw.trim();

/** A switch: 1, true, yes, on or 0, false, no, off. */
export const flag: Parse<boolean> = (raw) => {
  const word = raw.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  return { wrong: 'must be 1 (on) or 0 (off)' };
};

/** A whole number from `min` to `max`, both allowed. */
export const whole =
  (min: number, max: number): Parse<number> =>
  (raw) => {
    const value = /^-?\d+$/.test(raw.trim()) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : { wrong: `must be a whole number from ${min} to ${max}` };
  };

/** A decimal number from `min` to `max`, both allowed. */
export const decimal =
  (min: number, max: number): Parse<number> =>
  (raw) => {
    const value = /^-?\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : { wrong: `must be a number from ${min} to ${max}` };
  };

/** One of the given words, whatever the case. */
export const oneOf =
  <const T extends string>(...words: readonly T[]): Parse<T> =>
  (raw) => {
    const word = raw.trim().toLowerCase();
    const found = words.find((candidate) => candidate === word);
    return found ?? { wrong: `must be one of ${words.join(', ')}` };
  };

/** An absolute http or https address; answered without a trailing slash, so that paths can be appended. */
export const address: Parse<string> = (raw) => {
  const url = URL.parse(raw.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return { wrong: 'must be a full address that starts with http:// or https://' };
  }
  return raw.trim().replace(/\/+$/, '');
};

/** 'auto' or a time of day as HH:MM. */
export const startTime: Parse<string> = (raw) => {
  const word = raw.trim().toLowerCase();
  if (word === 'auto' || /^([01]\d|2[0-3]):[0-5]\d$/.test(word)) return word;
  return { wrong: 'must be auto or a time of day such as 09:45' };
};
