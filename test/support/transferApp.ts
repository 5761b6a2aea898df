import type { Preview } from '#subjects/transfer/server/index.ts';
import type { TransferFile } from '#subjects/transfer/rules/checkFile.ts';
import { ALERT, lastAbove } from './alertsApp.ts';
import { BOUGHT, submit } from './callsApp.ts';
import { addDeviceOf } from './devicesApp.ts';
import type { Role, TestAnswer, TestApp } from './testApp.ts';

export const TRANSFER = '/api/settings/transfer';

async function ok(app: TestApp, method: string, path: string, body: unknown, as: Role): Promise<unknown> {
  const answer = await app.request(method, `/api${path}`, { as, body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

const COLUMNS = [
  { id: 'code', enabled: true, mandatory: true, type: 'base', label: 'Code' },
  { id: 'last', enabled: false, mandatory: false, type: 'base', label: 'Last' },
];

export async function linkPlaces(app: TestApp, as: Exclude<Role, 'guest'> = 'premium'): Promise<void> {
  const token = app.parts.linkedChats.service.newToken('telegram', '555555555', 'Ann');
  await ok(app, 'POST', '/link/claim', { token }, as);
  await addDeviceOf(app, 'one', { as });
}

/** Gives a user an item of every kind. */
export async function setUp(app: TestApp, as: Exclude<Role, 'guest'> = 'premium'): Promise<void> {
  await linkPlaces(app, as);
  const put = (method: string, path: string, body: unknown) => ok(app, method, path, body, as);
  await put('POST', '/settings/table-columns', { tableKey: 'preMarket', columns: COLUMNS });
  await put('POST', '/settings/quote-site', { site: 'asx' });
  await put('POST', '/indicators/prefs', {
    refs: [{ type: 'indicator', family: 'rsi', params: {}, tf: '60', valueKey: 'now' }],
  });
  // Before the other by its id, after it by its name.
  await put('POST', '/indicators/scans', { name: 'Zinc', logic: lastAbove(3) });
  const { scan } = (await put('POST', '/indicators/scans', { name: 'Dear', logic: lastAbove(30) })) as {
    scan: { id: number };
  };
  const { id: listId } = (await put('POST', '/watchlists', { name: 'Banks' })) as { id: number };
  const { id: itemId } = (await put('POST', '/watchlist', { symbol: 'CBA', list: listId })) as { id: number };
  await put('PATCH', `/watchlist/${itemId}`, { note: 'Results in May', target: 55 });
  await put('POST', '/watchlists', { name: 'Empty' });
  const banks = (await put('POST', '/indicators/scans', {
    name: 'Banks only',
    logic: lastAbove(1),
    lists: { side: 'on', id: listId },
  })) as { scan: { id: number } };
  const destinations = { telegram: true, discord: false, devices: 'all' };
  await put('POST', '/alerts', { ...ALERT, destinations, note: 'Sell half', urgent: true, group: 'Swing' });
  const entered = { lhs: { type: 'scan', id: scan.id }, op: 'crosses_above', rhs: 0.5 };
  await put('POST', '/alerts', {
    ...ALERT,
    symbol: 'CBA',
    name: null,
    active: false,
    logic_json: { op: 'AND', conditions: [entered] },
    event_guard: { mode: 'mark', currencies: ['AUD'] },
    expires_at: new Date(app.clock.now() + 86_400_000).toISOString(),
  });
  await put('POST', '/scan-alerts', { scan: { type: 'scan', id: scan.id }, name: 'Dear ones', destinations });
  await put('POST', '/scan-alerts', { scan: { type: 'scanner', key: 'preMarket' }, event: 'leaves' });
  await put('POST', '/odds/saved', { scan: { type: 'scan', id: banks.scan.id }, settings: { steps: 2 } });
  const withScan = { op: 'AND', conditions: [{ ...entered, op: '>' }] };
  await put('POST', '/odds/saved', {
    scan: { type: 'logic', logic: withScan, symbol: 'BHP' },
    name: 'Dear BHP',
  });
  await put('PUT', '/settings/chart-levels', { symbol: 'CBA', prices: [50, 55.5] });
  await put('PUT', '/alerts/attention/weekly', { weekly: true });
  await put('PUT', '/settings/brief', { active: true, minute: 570 });
  await put('PUT', '/settings/quiet-hours', {
    active: true,
    from: 1260,
    until: 420,
    zone: 'Australia/Perth',
    digest: 'hourly',
  });
  await put('POST', '/calls', BOUGHT);
  await submit(app, 'basic');
  await put('PUT', '/calls/follows/basic', { follow: true });
  await put('PUT', '/calls/mutes/CBA', { mute: true });
}

export async function fileOf(app: TestApp, as: Role = 'premium'): Promise<TransferFile> {
  return (await ok(app, 'GET', '/settings/transfer', undefined, as)) as TransferFile;
}

export const sendFile = (
  app: TestApp,
  file: unknown,
  query: Record<string, string> = {},
  as: Role = 'premium',
): Promise<TestAnswer> => {
  const path = query['seen'] === undefined ? `${TRANSFER}/preview` : TRANSFER;
  const rawBody = typeof file === 'string' ? file : JSON.stringify(file);
  return app.request('POST', `${path}?${new URLSearchParams(query).toString()}`, { as, rawBody });
};

export async function previewOf(
  app: TestApp,
  file: unknown,
  query: Record<string, string> = {},
  as: Role = 'premium',
): Promise<Preview> {
  const answer = await sendFile(app, file, query, as);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json as Preview;
}

export async function takeFile(
  app: TestApp,
  file: unknown,
  query: Record<string, string> = {},
  as: Role = 'premium',
): Promise<Preview> {
  const { seen } = await previewOf(app, file, query, as);
  return previewOf(app, file, { ...query, seen }, as);
}

/** How many items of each kind are added, changed, unchanged and left out: 'alerts 2 0 0 0'. */
export const countsOf = ({ kinds }: Preview): string[] =>
  kinds.map(({ kind, added, changed, same, leftOut }) => {
    const left = leftOut.reduce((sum, { count }) => sum + count, 0);
    return [kind, added, changed, same, left].join(' ');
  });
