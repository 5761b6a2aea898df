/** What names a browser in a User-Agent; the first that stands there counts, as most name others too. */
const BROWSERS: readonly (readonly [sign: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
];

const SYSTEMS: readonly (readonly [sign: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
];

/** Longer ones say no more. */
const MAX_READ = 500;

/**
 * The browser and system that a User-Agent names, in a few words: 'Firefox on Android'. No version is in it: the words
 * are kept, and must not tell one person's machine from another's.
 *
 * @returns null when it names nothing that is known
 */
export function deviceOf(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, MAX_READ);
  const nameIn = (names: typeof BROWSERS) => names.find(([sign]) => text.includes(sign))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}
