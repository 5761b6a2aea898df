import type { Setting } from './setting.ts';

export type ShownSetting = {
  name: string;
  meaning: string;
  isSecret: boolean;
  value: string | null;
  isSet: boolean;
  fallback: string;
};

const MAX_VALUE = 500;
const ADDRESS = /\b[a-z]{2,10}:\/\/[^\s,]{1,2000}/gi;

/** Removes user, password and query of an address, because they may contain keys. */
const withoutKeys = (address: string): string => {
  const url = URL.parse(address);
  if (url === null) return '…';
  if (url.username === '' && url.password === '' && url.search === '' && url.hash === '') return address;
  return `${url.protocol}//${url.host}${url.pathname}${url.search + url.hash === '' ? '' : '?…'}`;
};

export const withoutSecrets = (text: string): string => text.replace(ADDRESS, withoutKeys);

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
