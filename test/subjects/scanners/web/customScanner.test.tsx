import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, jest, test, beforeEach } from 'bun:test';
import { act, screen, waitFor, within, render } from '@testing-library/react';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { queryOf } from '#web/router/navigate.ts';
import { results } from '#support/axe.ts';
import { remember } from '#support/scannerScreen.tsx';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import type { Stock } from '#market/rules/stock.ts';
import { CustomScanner } from '#subjects/scanners/web/custom/CustomScanner.tsx';
import { forgetCatalogs } from '#web/shared/indicators/catalog.ts';
import { aStock } from '#support/aStock.ts';
import { CATALOGS } from '#support/catalogs.ts';
import { pageApi } from '#support/fakeApi.ts';
import { liveByHand } from '#support/liveByHand.ts';
import { layOutEachTest } from '#support/layout.ts';
import { aMeta } from '#support/market.ts';
import { allOf, is, LAST, RSI } from '#support/conditions.ts';

type Body = { name: string; logic: Logic };
const EMA = { ...RSI, family: 'ema', params: { length: '20' }, key: 'ema_20' };
const over = (value: number) => is(LAST, '>', value);
const scanOf = (id: number, name: string, ...conditions: Condition[]) => ({
  id,
  name,
  logic: allOf(...conditions),
  createdAt: 1,
  updatedAt: 1,
  lists: null,
  problem: null as string | null,
});

const server = pageApi(
  () => ({
    ...CATALOGS,
    'GET /api/indicators/prefs': { body: { prefs: { refs: [] } } },
    'POST /api/indicators/prefs': ({ body }) => ({ body }),
    'GET /api/indicators/scans': { body: { scans: [scanOf(1, 'Over two', over(2))] } },
    'POST /api/indicators/scans': ({ body }) => ({ body: { scan: { ...(body as Body), id: 101 } } }),
    'PUT /api/indicators/scans/1': ({ body }) => ({ body: { scan: { ...(body as Body), id: 1 } } }),
    'DELETE /api/indicators/scans/1': { body: { success: true } },
  }),
  1,
);
layOutEachTest();
let live: ReturnType<typeof liveByHand>;

const priced = (code: string, price: number, ema: number | null = null): Stock =>
  aStock({
    code,
    last: price,
    value: 1e6 * price,
    indicators: ema === null ? {} : { '60': { ema_20: { now: ema } } },
  });
const market = (...stocks: Stock[]) => live.show(stocks);

beforeEach(() => {
  forgetCatalogs();
  live = liveByHand();
});

afterEach(() => {
  jest.useRealTimers();
  live.stop();
});

/** Shows the custom scanner with three stocks. */
const open = async () => {
  render(
    <CustomScanner
      meta={aMeta()}
      connection="live"
      quoteLink="none"
      onConfigure={() => {}}
      onPopOut={null}
      onRetry={() => {}}
    />,
  );
  market(priced('AAA', 1), priced('BBB', 2), priced('CCC', 3));
  await waitFor(() => expect(button('New scan').disabled).toBe(false));
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const click = (name: string) => userEvent.click(button(name));
const chooseInMenu = async (name: string) => {
  await click('Scan menu');
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};
const scanSelect = () => screen.getByLabelText<HTMLSelectElement>('Scan');
const codes = () =>
  [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((row) => row.dataset.id).sort();
const headers = () => [...document.querySelectorAll('.table-sort-label')].map((label) => label.textContent);
const editor = () => screen.findByRole('dialog');
const closed = () => waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
const posted = (path = '/api/indicators/scans') =>
  server
    .to(path)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, body }) => ({ method, body }));

describe('saved scans', () => {
  test('filter the table immediately, and are remembered in this browser', async () => {
    await open();
    expect(codes()).toEqual(['AAA', 'BBB', 'CCC']);
    await userEvent.selectOptions(scanSelect(), 'Over two');
    expect(codes()).toEqual(['CCC']);
    expect(screen.getByRole('toolbar', { name: 'Saved scans' }).textContent).toContain('1 of 3 match');
    market(priced('AAA', 5), priced('BBB', 2), priced('CCC', 3));
    expect(screen.getByRole('toolbar', { name: 'Saved scans' }).textContent).toContain('2 of 3 match');
    expect(localStorage.getItem('bellbird.customScan')).toBe('1');
    await userEvent.selectOptions(scanSelect(), 'All stocks');
    expect(codes()).toEqual(['AAA', 'BBB', 'CCC']);
    expect(await results(document.body)).toEqual([]);
  });

  test('are duplicated under a free name, and deleted after a question', async () => {
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over two');
    await chooseInMenu('Duplicate');
    await waitFor(() => expect(scanSelect().selectedOptions[0]?.text).toBe('Over two copy'));
    await userEvent.selectOptions(scanSelect(), 'Over two');
    await chooseInMenu('Delete…');
    expect((await editor()).textContent).toContain('Delete scan “Over two”?');
    await userEvent.click(within(await editor()).getByRole('button', { name: 'Cancel' }));
    await closed();
    expect(posted('/api/indicators/scans/1')).toEqual([]);
    await chooseInMenu('Delete…');
    await userEvent.click(within(await editor()).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(scanSelect().selectedOptions[0]?.text).toBe('All stocks'));
    expect([...scanSelect().options].map(({ text }) => text)).toEqual(['All stocks', 'Over two copy']);
  });
});

describe('the editor', () => {
  const start = async () => {
    await open();
    await click('New scan');
    await editor();
  };
  const pickEma = async () => {
    await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Add indicator…');
    await userEvent.type(await screen.findByRole('searchbox'), 'ema{Enter}');
    await userEvent.selectOptions(await screen.findByLabelText('Timeframe'), '1h');
    const [, parameters] = screen.getAllByRole('dialog', { hidden: true });
    if (!parameters) throw new Error('The parameter modal is not there.');
    await userEvent.click(within(parameters).getByRole('button', { name: 'Save' }));
  };

  test('builds a scan, shows missing parts, saves it and filters by it', async () => {
    await start();
    expect(await results(await editor())).toEqual([]);
    expect(document.activeElement === screen.getByLabelText('Say it in words')).toBe(true);
    await click('Save');
    expect(screen.getByRole('alert').textContent).toBe('Complete the highlighted conditions.');
    expect(document.activeElement === screen.getByLabelText('Compared with')).toBe(true);
    await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Number');
    await userEvent.selectOptions(screen.getByLabelText('Comparison'), '≤ at or below');
    await userEvent.type(screen.getByLabelText('Number'), '2');
    await click('Save');
    expect(screen.getByRole('alert').textContent).toBe('Enter a name for the scan.');
    expect(document.activeElement === screen.getByLabelText('Name')).toBe(true);
    await userEvent.type(screen.getByLabelText('Name'), 'At most two');
    expect(screen.getByText('2 of 3 match')).toBeDefined();
    const odds = queryOf(screen.getByRole('link', { name: /^Does it work/ }).getAttribute('href') ?? '');
    expect([odds.get('subject'), odds.get('name')]).toEqual(['draft', 'At most two']);
    expect(JSON.parse(odds.get('scan') ?? '')).toMatchObject({
      type: 'logic',
      logic: allOf(is(LAST, '<=', 2)),
    });
    expect(screen.getByText('2 stocks meet this condition')).toBeDefined();
    await click('Save');
    await closed();
    const logic = allOf(is(LAST, '<=', 2));
    expect(posted()).toEqual([{ method: 'POST', body: { name: 'At most two', logic, lists: null } }]);
    expect(codes()).toEqual(['AAA', 'BBB']);
    expect(scanSelect().selectedOptions[0]?.text).toBe('At most two');
  });

  test('proposes a name from the words, adds an alert, and keeps the scan if the alert is refused', async () => {
    server.answers['POST /api/scan-alerts'] = { status: 400, body: { error: 'You have 3 alerts already.' } };
    await start();
    await userEvent.keyboard('above $2{Enter}');
    const use = await screen.findByRole('button', { name: /^Use/ });
    await click('Save');
    const refusal = screen.getByText(/^Your words are not conditions yet/);
    expect(document.activeElement === screen.getByLabelText('Say it in words')).toBe(true);
    await userEvent.click(use);
    expect(refusal.isConnected).toBe(false);
    await userEvent.click(screen.getByLabelText('Alert me when a stock enters'));
    await click('Save');
    await closed();
    expect(posted()).toMatchObject([{ body: { name: 'Above $2', logic: allOf(over(2)) } }]);
    expect(posted('/api/scan-alerts')).toMatchObject([
      { body: { scan: { type: 'scan', id: 101 }, event: 'enters' } },
    ]);
    expect(screen.getByText('The scan is saved without an alert. You have 3 alerts already.')).toBeDefined();
    expect(scanSelect().selectedOptions[0]?.text).toBe('Above $2');
  });

  test('begins with a template, which asks for its values and sets the sort', async () => {
    await start();
    await click('52-week break');
    const refs = [{ type: 'htf', period: '52W', field: 'high' }];
    await waitFor(() => expect(posted('/api/indicators/prefs')).toMatchObject([{ body: { refs } }]));
    await click('Volume spike');
    await click('Save');
    await closed();
    expect(posted()).toMatchObject([{ body: { name: 'Volume spike' } }]);
    expect(headers()).toEqual(['Name', 'Price', 'Volume', 'Value', 'Rel Vol', 'Change']);
    expect(document.querySelector('[aria-sort="descending"]')?.textContent).toContain('Rel Vol');
  });

  test('counts again with every tick, and shows the values that conditions read', async () => {
    await start();
    await userEvent.selectOptions(screen.getByLabelText('Compared with'), 'Open');
    const preview = () => screen.getByRole('region', { name: 'Current matches' });
    expect(preview().textContent).toContain('3 of 3 matchCodeLastOpen');
    market(priced('AAA', 0.4), priced('BBB', 2), priced('CCC', 3));
    expect(preview().textContent).toContain('2 of 3 match');
    market(priced('AAA', 0.4), priced('BBB', 0.4), priced('CCC', 0.4));
    expect(preview().textContent).toContain('0 of 3 match');
    expect(preview().textContent).toContain('Most traded stocks, for comparison');
    expect(within(preview()).getAllByRole('rowheader')).toHaveLength(3);
  });

  test('requests the values of a new indicator, waits for them, and releases them', async () => {
    await start();
    await pickEma();
    await waitFor(() =>
      expect(posted('/api/indicators/prefs')).toEqual([{ method: 'POST', body: { refs: [EMA] } }]),
    );
    expect((await editor()).textContent).toContain('EMA(20) 1h: waiting for values');
    market(priced('AAA', 1, 0.5), priced('BBB', 2, 9));
    expect((await editor()).textContent).toContain('1 of 2 match');
    expect((await editor()).textContent).not.toContain('waiting');
    await userEvent.type(screen.getByLabelText('Name'), 'Over its average');
    await click('Save');
    await closed();
    await waitFor(() =>
      expect(posted('/api/indicators/prefs').at(-1)).toEqual({ method: 'POST', body: { refs: [] } }),
    );
    // The values of the active scan are next to the table’s own columns.
    expect(headers()).toEqual(['Name', 'Price', 'Volume', 'Value', 'EMA(20) 1h']);
    expect(codes()).toEqual(['AAA']);
  });
});

test('chosen indicators that could not be saved are removed again', async () => {
  server.answers['POST /api/indicators/prefs'] = { status: 500, body: {} };
  await open();
  await chooseInMenu('Indicators…');
  await userEvent.click(within(await editor()).getByRole('button', { name: 'Add Indicator' }));
  await userEvent.type(await screen.findByRole('searchbox'), 'ema{Enter}');
  await userEvent.selectOptions(await screen.findByLabelText('Timeframe'), '1h');
  await click('Save');
  await waitFor(() =>
    expect(screen.getAllByText('Failed to save indicator selection').length).toBeGreaterThan(0),
  );
  expect(headers()).toEqual(['Name', 'Price', 'Volume', 'Value']);
});

describe('the count', () => {
  const bar = () => screen.getByRole('toolbar', { name: 'Saved scans' }).textContent;

  test('shows how many pass the filters, in the bar and in the editor', async () => {
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over two');
    expect(bar()).toContain('1 of 3 match');
    market(priced('AAA', 1), { ...priced('BBB', 4), value: 100 }, priced('CCC', 3));
    await waitFor(() => expect(bar()).toContain('2 match, 1 shown after filters'));
    await click('Edit');
    expect((await editor()).textContent).toContain('2 match, 1 shown after filters');
  });

  test('does not wait forever for a stock without a value', async () => {
    const overEma = scanOf(1, 'Over it', is(LAST, '>', EMA));
    server.answers['GET /api/indicators/scans'] = { body: { scans: [overEma] } };
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over it');
    jest.useFakeTimers();
    market(priced('AAA', 1, 0.5), priced('BBB', 2), priced('CCC', 3));
    act(() => void jest.advanceTimersByTime(1000));
    expect(bar()).toContain('1 so far');
    act(() => void jest.advanceTimersByTime(4000));
    expect(bar()).toContain('1 of 3 match');
  });
});

test('the focus is on Discard when the editor asks, and back at its old place afterwards', async () => {
  const focus = () =>
    document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
  await open();
  await click('New scan');
  await editor();
  const name = screen.getByLabelText('Name');
  await userEvent.type(name, 'x');
  await userEvent.keyboard('{Escape}');
  expect(focus()).toBe('Discard');
  await click('Keep editing');
  expect(document.activeElement === name).toBe(true);
  await userEvent.keyboard('{Escape}{Enter}');
  await closed();
  await waitFor(() => expect(focus()).toBe('New scan'));
  expect(posted()).toEqual([]);
});

const MINERS = { id: 3, name: 'Miners', symbols: ['BBB'] };
const BANKS = { id: 4, name: 'Banks', symbols: ['CCC'] };
/** Shows a scan of prices above one, limited to these lists. */
async function showScan(lists: ScanLists | null, known: readonly unknown[] = [MINERS, BANKS]): Promise<void> {
  server.answers['GET /api/watchlists'] = { body: { lists: known } };
  server.answers['GET /api/indicators/scans'] = {
    body: { scans: [{ ...scanOf(1, 'Over one', over(1)), lists }] },
  };
  await open();
  await userEvent.selectOptions(scanSelect(), 'Over one');
}
const inEditor = async () => within(await editor());

test('a scan of a deleted list finds nothing and shows a problem', async () => {
  await showScan({ side: 'off', id: 9, name: 'Old' });
  await screen.findByText(/^This scan no longer works: Your list “Old” was deleted\./);
  expect(codes()).toEqual([]);
});

test('a side and a list are chosen in the editor, shown in the preview, and sent', async () => {
  await showScan(null);
  await click('Edit');
  const dialog = await inEditor();
  const count = () => dialog.getByRole('region', { name: 'Current matches' }).textContent;
  expect(dialog.queryByLabelText('Lists')).toBeNull();
  expect(count()).toContain('2 of 3 match');
  await userEvent.selectOptions(dialog.getByLabelText('Stocks'), 'On my lists');
  await waitFor(() => expect(count()).toContain('2 of 3 match'));
  await userEvent.selectOptions(dialog.getByLabelText('Lists'), 'Banks');
  await waitFor(() => expect(count()).toContain('1 of 3 match'));
  expect(await results(document.body)).toEqual([]);
  await click('Save');
  await closed();
  expect(posted('/api/indicators/scans/1')).toMatchObject([
    { body: { lists: { side: 'on', id: 4, name: 'Banks' } } },
  ]);
  expect(codes()).toEqual(['CCC']);
});

test('an alert on a saved scan keeps the filters of the custom scanner, and counts its rows', async () => {
  const scan = { type: 'scan', id: 1, name: 'Over two' };
  remember('custom', { minValue: 2_700_000, newsOnly: false });
  server.answers['GET /api/scan-alerts'] = { body: { scan_alerts: [], limit: 10 } };
  server.answers['POST /api/scan-alerts/rehearse'] = { body: { fired: 2, stocks: 1, days: 20 } };
  server.answers['POST /api/scan-alerts'] = { body: { id: 3, scan } };
  await open();
  market(priced('AAA', 1), priced('BBB', 2.5), priced('CCC', 3));
  await userEvent.selectOptions(scanSelect(), 'Over two');
  await waitFor(() => expect(codes()).toEqual(['CCC']));
  await click('Alert me on this scan');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('The conditions of your scan “Over two”')).toBeDefined();
  expect(dialog.getByText('At least $2,700,000 traded')).toBeDefined();
  expect(dialog.getByText('1 stock matches now.')).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Add alert' }));
  await waitFor(() =>
    expect(posted('/api/scan-alerts')).toMatchObject([
      { body: { scan: { ...scan, filters: { minValue: 2_700_000 } } } },
    ]),
  );
});
