import type { Setting } from '#src/configSetting.ts';

/** Their values are words that Bellbird knows. */
const WORDS: ReadonlySet<string> = new Set([
  'BELLBIRD_FEED',
  'BELLBIRD_NEWS',
  'BELLBIRD_CALENDAR',
  'BELLBIRD_SUPERVISED',
  'BELLBIRD_SIM_START',
]);

function shownValue(name: string, setting: Setting<unknown>, raw: string): string {
  if (setting.secret) return 'set';
  const parsed = setting.parse(raw);
  if (!parsed.ok) return 'set, but wrong';
  const { value } = parsed;
  const isFigure = typeof value === 'number' || typeof value === 'boolean';
  return isFigure || WORDS.has(name) ? String(value) : 'set';
}

/** Each setting that is set: figures and words of ours with their value, addresses, names and secrets only as *set*. */
export function settingLines(
  settings: Readonly<Record<string, Setting<unknown>>>,
  env: Record<string, string | undefined>,
): string[] {
  return Object.entries(settings).flatMap(([name, setting]) => {
    const raw = [name, setting.also ?? name]
      .map((one) => env[one] ?? '')
      .find((value) => value.trim() !== '');
    return raw === undefined ? [] : [`${name}: ${shownValue(name, setting, raw)}`];
  });
}
