import { afterEach, expect, test } from 'bun:test';
import { loadConfig, SETTINGS } from '#src/config/config.ts';
import { createTestApp } from '#support/testApp.ts';

const opened: { close(): void }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

type Row = { name: string; value: string | null; isSet: boolean; isSecret: boolean; origin: string };
async function read(env: Record<string, string>): Promise<Map<string, Row>> {
  const app = createTestApp({ env });
  opened.push(app);
  const { json } = await app.request('GET', '/api/admin/settings', { as: 'admin' });
  return new Map((json as { settings: Row[] }).settings.map((row) => [row.name, row]));
}

/** A value for a setting with a planted word, in a format it accepts; null if it accepts none. */
function plantedIn(name: string): string | null {
  if (name === 'BELLBIRD_ENGINE_URL') return 'redis://me:planted@127.0.0.1:1';
  const { parse } = SETTINGS[name as keyof typeof SETTINGS];
  const candidates = [
    'https://planted:planted@shown.example/path?token=planted#planted',
    'https://planted@shown.example',
    'planted-0123456789abcdef',
  ];
  const isSecret = 'secret' in SETTINGS[name as keyof typeof SETTINGS];
  return candidates.find((value) => parse(value).ok && (isSecret || value.startsWith('https'))) ?? null;
}

test('the settings are all listed, in the order of the help, with the origin of each', async () => {
  const rows = await read({ BELLBIRD_TICK_MS: '2000', BELLBIRD_INGEST_KEY: 'planted-key-0123456789' });
  expect([...rows.keys()]).toEqual(Object.keys(SETTINGS));
  expect(rows.get('BELLBIRD_TICK_MS')).toEqual({
    name: 'BELLBIRD_TICK_MS',
    meaning: 'Minimum time between updates to browsers, ms',
    value: '2000',
    fallback: '1000',
    isSet: true,
    isSecret: false,
    origin: 'environment',
  } as never);
  expect(rows.get('BELLBIRD_POLL_SECONDS')).toMatchObject({ value: null, isSet: false, origin: 'default' });
  expect(rows.get('BELLBIRD_INGEST_KEY')).toMatchObject({ value: null, isSet: true, isSecret: true });
  expect(rows.get('BELLBIRD_JWT_SECRET')).toMatchObject({ value: null, isSet: true, origin: 'file' });
});
test('the settings show no secret anywhere', async () => {
  const env = Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => {
      const value = plantedIn(name);
      // A server with a Redis URL needs the relay secret, which is planted too.
      return value === null ? [] : [[name, value]];
    }),
  );
  expect(Object.keys(env).length).toBeGreaterThan(15);
  const shown = JSON.stringify(loadConfig(env).config.settings);
  expect(/.{0,60}planted.{0,30}/.exec(shown)?.[0] ?? '').toBe('');
  expect(shown).toContain('https://shown.example/path?…');
});
