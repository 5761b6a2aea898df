import { describe, expect, test } from 'bun:test';
import { MAX_TRANSFER_BYTES } from '#subjects/transfer/answers/file.ts';
import { NEWER, NO_JSON, NOT_OURS, TOO_LARGE, TOO_NESTED } from '#subjects/transfer/rules/checkFile.ts';
import { scanAlerts } from '#src/tables/alertSchema.ts';
import { ALERT, addAlert, alertsOf, lastAbove, withListed } from '#support/alertsApp.ts';
import { countsOf, fileOf, previewOf, sendFile, setUp, takeFile } from '#support/transferApp.ts';

const FILE = { format: 'bellbird transfer file', version: 1, exportedAt: '2026-11-18T00:00:00.000Z' };
const MANNER = {
  urgent: false,
  group: null,
  sound: null,
  destinations: { telegram: false, discord: false, devices: [] },
};
const anAlert = (change: object = {}) => ({
  symbol: 'BHP',
  name: null,
  active: true,
  persistent: true,
  logic_json: lastAbove(50),
  note: null,
  expires_at: null,
  event_guard: null,
  cooldown_minutes: 1,
  ...MANNER,
  ...change,
});
const alertsFile = (...alerts: object[]) => ({ ...FILE, alerts });
const errorOf = (json: unknown): unknown => (json as { error: unknown }).error;

const nested = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const cases: [name: string, file: unknown, status: number, sentence: string][] = [
  ['of another program', { version: '3.9', services: {} }, 400, NOT_OURS],
  ['cut off', JSON.stringify(alertsFile(anAlert())).slice(0, -5), 400, NO_JSON],
  ['nested deeply', nested, 400, TOO_NESTED],
  ['of a newer version', { ...FILE, version: 2, alerts: 'other' }, 400, NEWER],
  ['too large', ' '.repeat(MAX_TRANSFER_BYTES + 1), 413, TOO_LARGE],
  [
    'with a hundred thousand alerts',
    `{"format":"bellbird transfer file","version":1,"exportedAt":"","alerts":[${'0,'.repeat(99_999)}0]}`,
    400,
    'The file has more at “alerts” than one user can have. Nothing was imported.',
  ],
  [
    'with a prototype',
    '{"format":"bellbird transfer file","version":1,"exportedAt":"","__proto__":{"isAdmin":true}}',
    400,
    'The file is damaged at “__proto__”. Nothing was imported.',
  ],
  [
    'with a huge text',
    alertsFile(anAlert({ note: 'x'.repeat(1_000_000) })),
    400,
    'The file has more at “alerts[0].note” than one user can have. Nothing was imported.',
  ],
  [
    'of wrong types',
    alertsFile(anAlert(), anAlert({ persistent: 'yes' })),
    400,
    'The file is damaged at “alerts[1].persistent”. Nothing was imported.',
  ],
];
test('an invalid file is refused with one message, and nothing is imported', () =>
  withListed(async (app) => {
    for (const [name, file, status, sentence] of cases) {
      app.clock.advance(60_000);
      const queries: Record<string, string>[] = [{}, { seen: 'whatever' }];
      for (const query of queries) {
        const answer = await sendFile(app, file, query);
        expect([name, answer.status, errorOf(answer.json)]).toEqual([name, status, sentence]);
      }
    }
    expect(await alertsOf(app, 'premium')).toEqual([]);
  }));

test('omitted items have a reason, and the rest is imported', () =>
  withListed(async (app) => {
    const logic_json = { op: 'AND', conditions: [{ lhs: 'nothing', op: '>', rhs: 1 }] };
    const reads = { lhs: { type: 'scan', id: 7 }, op: 'crosses_above', rhs: 0.5 };
    const file = alertsFile(
      anAlert(),
      anAlert({ symbol: 'XYZ', name: 'Away' }),
      anAlert({ logic_json }),
      anAlert({ logic_json: { op: 'AND', conditions: [reads] } }),
      anAlert({ name: 'Late', expires_at: '2020-01-01T00:00:00Z' }),
    );
    const done = await takeFile(app, file, { switchOn: 'yes' });
    expect(countsOf(done)).toEqual(['alerts 2 0 0 3']);
    expect(done.kinds[0]?.leftOut.map(({ text, names }) => [text, names])).toEqual([
      ['The stock is not listed here.', ['XYZ Away']],
      ['Condition 1: The field "nothing" is not in the catalog.', ['BHP']],
      ['They use a saved scan that does not exist here. Import your scans too.', ['BHP']],
    ]);
    expect(done.kinds[0]?.notes.map(({ names }) => names)).toEqual([['BHP Late']]);
    const alerts = await alertsOf(app, 'premium');
    expect(alerts.map(({ name, active }) => [name, active])).toEqual([
      [null, true],
      ['Late', false],
    ]);
  }));

describe('an import', () => {
  test('writes nothing before confirmation, and returns an outdated preview again', () =>
    withListed(async (app) => {
      const file = alertsFile(anAlert());
      const { seen } = await previewOf(app, file);
      expect(await alertsOf(app, 'premium')).toEqual([]);
      await addAlert(app, { ...ALERT, name: null }, 'premium');
      const old = await sendFile(app, file, { seen });
      expect(old.status).toBe(409);
      expect(errorOf(old.json)).toStartWith('The file or your settings changed after this preview');
      const again = old.json as Awaited<ReturnType<typeof previewOf>>;
      expect([again.isDone, countsOf(again)]).toEqual([false, ['alerts 0 0 1 0']]);
      expect((await alertsOf(app, 'premium')).length).toBe(1);
      expect((await sendFile(app, file, { seen: again.seen })).status).toBe(200);
    }));

  test('refuses a file other than the previewed one, even with the same counts', () =>
    withListed(async (app) => {
      const { seen } = await previewOf(app, alertsFile(anAlert({ name: 'Mine' })));
      const other = alertsFile(anAlert({ name: 'Theirs' }));
      const answer = await sendFile(app, other, { seen });
      expect(answer.status).toBe(409);
      expect(await alertsOf(app, 'premium')).toEqual([]);
      const again = answer.json as Awaited<ReturnType<typeof previewOf>>;
      expect((await sendFile(app, other, { seen: again.seen })).status).toBe(200);
    }));

  test('is all or nothing: an error in the last kind reverts the first', () =>
    withListed(async (first) => {
      await setUp(first);
      const file = await fileOf(first);
      await withListed(async (app) => {
        const { seen } = await previewOf(app, file);
        const user = await app.user('premium');
        const before = app.db.$client.serialize();
        app.db.$client.run(
          `CREATE TRIGGER broken BEFORE INSERT ON quiet_hours BEGIN SELECT RAISE(ABORT, 'broken'); END`,
        );
        const answer = await sendFile(app, file, { seen });
        expect(answer.status).toBe(500);
        app.db.$client.run('DROP TRIGGER broken');
        expect(await alertsOf(app, 'premium')).toEqual([]);
        expect(app.db.select().from(scanAlerts).all()).toEqual([]);
        expect(app.parts.indicators.service.scans(user.id)).toEqual([]);
        expect(app.parts.watchlist.service.symbols(user.id)).toEqual([]);
        expect(app.parts.alerts.inspect().summary).toMatchObject({ alerts: 0 });
        expect(app.parts.quietHours.service.of(user.id).active).toBe(false);
        expect(before.length).toBeGreaterThan(0);
        expect((await takeFile(app, file)).isDone).toBe(true);
      });
    }));
});
