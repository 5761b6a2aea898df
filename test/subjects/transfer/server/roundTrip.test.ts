import { expect, test } from 'bun:test';
import { alertsOf, withListed } from '#support/alertsApp.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import type { TransferFile } from '#subjects/transfer/rules/checkFile.ts';
import type { TestApp } from '#support/testApp.ts';
import { submit } from '#support/callsApp.ts';
import { countsOf, fileOf, linkPlaces, setUp, takeFile } from '#support/transferApp.ts';
import { listenToAlerts } from '#support/alertStreamClient.ts';

/** The content that must be equal: without the export time and the calls, which are never imported. */
const withoutTimes = ({ exportedAt: _, calls: __, ...file }: TransferFile) => file;

/** Two servers; the first has items of every kind. */
const withTwo = (work: (first: TestApp, second: TestApp) => Promise<void>) =>
  withListed(async (first) => {
    await setUp(first);
    await withListed(async (second) => {
      // The followed submitter.
      await submit(second, 'basic');
      await work(first, second);
    });
  });

test('settings in one file are equal after an import on an empty server, with alerts turned on by choice', () =>
  withTwo(async (first, second) => {
    const file = await fileOf(first);
    await linkPlaces(second);
    const done = await takeFile(second, file, { switchOn: 'yes' });
    expect(done.isDone).toBe(true);
    expect(countsOf(done)).toEqual([
      'columns 0 1 0 0',
      'indicators 0 1 0 0',
      'watchlists 3 0 0 0',
      'scans 3 0 0 0',
      'alerts 2 0 0 0',
      'scanAlerts 2 0 0 0',
      'odds 2 0 0 0',
      'chartLevels 1 0 0 0',
      'follows 2 0 0 0',
      'preferences 0 3 0 0',
      'quietHours 0 1 0 0',
    ]);
    expect(done.kinds.flatMap(({ notes }) => notes)).toEqual([]);
    expect(withoutTimes(await fileOf(second))).toEqual(withoutTimes(file));
    expect(second.parts.calls.service.mine({ id: (await second.user('premium')).id })).toEqual([]);
    expect(done.calls).toBe(1);
  }));

test('settings in one file add nothing when imported again, here or at their origin', () =>
  withTwo(async (first, second) => {
    const file = await fileOf(first);
    await linkPlaces(second);
    await takeFile(second, file);
    for (const app of [first, second]) {
      const again = await takeFile(app, file);
      expect(countsOf(again)).toEqual([
        'columns 0 0 1 0',
        'indicators 0 0 1 0',
        'watchlists 0 0 3 0',
        'scans 0 0 3 0',
        'alerts 0 0 2 0',
        'scanAlerts 0 0 2 0',
        'odds 0 0 2 0',
        'chartLevels 0 0 1 0',
        'follows 0 0 2 0',
        'preferences 0 0 3 0',
        'quietHours 0 0 1 0',
      ]);
    }
  }));

test('settings in one file keep the lists and filters of alerts on scans, mapped to the existing lists and scans', () =>
  withTwo(async (first, second) => {
    const ok = async (method: string, path: string, body: unknown, app = first): Promise<{ id: number }> => {
      const { status, json, text } = await app.request(method, `/api${path}`, { as: 'premium', body });
      if (status !== 200) throw new Error(`${method} ${path}: ${text}`);
      return json as { id: number };
    };
    // The ids differ between the servers.
    for (const name of ['One', 'Two', 'Three']) await ok('POST', '/watchlists', { name }, second);
    const { json } = await first.request('GET', '/api/watchlists', { as: 'premium' });
    const banks = (json as { lists: { id: number; name: string }[] }).lists.find(
      ({ name }) => name === 'Banks',
    );
    const filters = { minValue: 50_000, minChange: 3, lists: [{ id: banks?.id ?? 0, name: 'Banks' }] };
    const saved = first.parts.indicators.service.scans((await first.user('premium')).id);
    const dear = saved.find(({ name }) => name === 'Dear');
    await ok('POST', '/scan-alerts', { scan: { type: 'scanner', key: 'intraDaySmall', filters } });
    await ok('POST', '/scan-alerts', { scan: { type: 'scan', id: dear?.id, filters } });
    const news = { type: 'announcements', kinds: ['halt'], words: ['gold'] };
    const ofList = { minValue: 0, sensitiveOnly: true as const, lists: filters.lists };
    await ok('POST', '/scan-alerts', { scan: { ...news, filters: ofList } });
    const file = await fileOf(first);
    expect(countsOf(await takeFile(second, file))[5]).toBe('scanAlerts 5 0 0 0');
    const { json: there } = await second.request('GET', '/api/scan-alerts', { as: 'premium' });
    const filtered = (there as { scan_alerts: { scan: WatchedScan; problem: string | null }[] }).scan_alerts
      .filter(({ scan }) => scan.filters !== undefined)
      .map(({ scan, problem }) => [scan.type, scan.filters, problem]);
    const { json: lists } = await second.request('GET', '/api/watchlists', { as: 'premium' });
    const [here] = (lists as { lists: { id: number; name: string }[] }).lists.filter(
      ({ name }) => name === 'Banks',
    );
    expect(here?.id).not.toBe(banks?.id);
    const expected = { ...filters, lists: [{ id: here?.id ?? 0, name: 'Banks' }] };
    expect(filtered).toEqual([
      ['scanner', expected, null],
      ['scan', expected, null],
      ['announcements', { ...ofList, lists: expected.lists }, null],
    ]);
    // Imported again they are the same; without the lists they are left out with a reason.
    for (const app of [first, second]) {
      expect(countsOf(await takeFile(app, file))[5]).toBe('scanAlerts 0 0 5 0');
    }
    await withListed(async (third) => {
      const done = await takeFile(third, file, { kinds: 'scans,scanAlerts,follows' });
      const left = done.kinds.find(({ kind }) => kind === 'scanAlerts')?.leftOut;
      expect(left?.map(({ text, count }) => [text, count])).toEqual([
        ['It uses a list that does not exist here. Import your watchlists too.', 3],
      ]);
      const follows = done.kinds.find(({ kind }) => kind === 'follows');
      expect(follows?.added).toBe(1);
      expect(follows?.leftOut).toMatchObject([
        { text: expect.stringMatching(/^No user with that name has posted a call/), names: ['basic'] },
      ]);
    });
  }));

test('settings in one file have alerts that work immediately, and other windows are notified', () =>
  withTwo(async (first, second) => {
    const user = await second.user('premium');
    const window = await listenToAlerts(second, await second.tokenOf(user));
    await takeFile(second, await fileOf(first), { switchOn: 'yes' });
    await window.until(({ account }) => account.some(({ event }) => event === 'set_up_changed'));
    expect(second.parts.alerts.inspect().summary).toMatchObject({ alerts: 1 });
    second.source.apply([{ code: 'BHP', last: 51 }]);
    second.tick.run();
    await window.until(({ events }) => events.some(({ event }) => event === 'alert_triggered'));
    expect((await alertsOf(second, 'premium'))[0]?.last_triggered_at).not.toBeNull();
  }));
