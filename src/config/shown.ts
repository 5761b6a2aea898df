import type { Setting } from './setting.ts';

/** A setting as administrators may see it: nothing of what is secret but whether it is set. */
export type ShownSetting = {
  name: string;
  /** What it is for. */
  meaning: string;
  isSecret: boolean;
  /** The text that is set, without passwords in addresses; null for a secret, and where nothing is set. */
  value: string | null;
  isSet: boolean;
  /** The default in words. */
  fallback: string;
};

const MAX_VALUE = 500;
const ADDRESS = /\b[a-z]{2,10}:\/\/[^\s,]{1,2000}/gi;

/** An address without who logs in there and what is asked: keys stand in both. */
const withoutKeys = (address: string): string => {
  const url = URL.parse(address);
  if (url === null) return '…';
  if (url.username === '' && url.password === '' && url.search === '' && url.hash === '') return address;
  return `${url.protocol}//${url.host}${url.pathname}${url.search + url.hash === '' ? '' : '?…'}`;
};

/** A setting's text without the keys that stand in its addresses. */
export const withoutSecrets = (text: string): string => text.replace(ADDRESS, withoutKeys);

/**
 * Each setting with what an environment says of it.
 * @param env as `loadConfig` takes it: an empty value counts as not set
 */
export function shownSettings(
  settings: Readonly<Record<string, Setting<unknown>>>,
  env: Readonly<Record<string, string | undefined>>,
): ShownSetting[] {
  return Object.entries(settings).map(([name, { meaning, secret, also = name, shown, fallback }]) => {
    const raw = [name, also].map((one) => env[one]?.trim() ?? '').find((value) => value !== '');
    const value = raw === undefined || secret ? null : withoutSecrets(raw).slice(0, MAX_VALUE);
    return {
      name,
      meaning,
      isSecret: secret === true,
      value,
      isSet: raw !== undefined,
      fallback: shown ?? String(fallback),
    };
  });
}
