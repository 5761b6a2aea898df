import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Stock } from '../../../src/market/rules/stock.ts';
import { App } from '../../../web/app/App.tsx';
import { startLive } from '../../../web/live/market.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../web/shared/settings.ts';
import { joinGroup } from '../../../web/windows/linkedWindows.ts';
import { FIRST_GROUP, type LinkMessage } from '../../../web/windows/linkGroups.ts';
import { aStock } from '../../support/aStock.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { giveLayout } from '../../support/layout.ts';
import { aMeta } from '../../support/market.ts';

await Promise.all([
  import('../../../src/subjects/scanners/web/ScannerPage.tsx'),
  import('../../../src/subjects/stock/web/chartPage/ChartPage.tsx'),
  import('../../../web/windows/openChart.ts'),
]);

const market = [
  aStock({ code: 'SML', name: 'Small Limited', status: 'Open', last: 0.5, change_percent: 2 }),
  aStock({ code: 'TNY', name: 'Tiny Limited', status: 'Open', last: 0.045, change_percent: -1 }),
];
const GROUP_KEY = 'bellbird.linkGroup';
const realOpen = window.open;

type Opened = { address: string; name: string; focused: number; closed: boolean; kept: Map<string, string> };

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stops: (() => void)[];
let opened: Opened[];
let isBlocked: boolean;
/** Another window of this browser, and what it heard. */
let other: BroadcastChannel;
let heard: LinkMessage[];
let answerShow: string | null;

beforeEach(() => {
  server = fakeApi({
    'GET /api/settings': { body: MAGGIE },
    'GET /api/app': { body: { test: false, donateUrl: null, version: '0', commit: 'c' } },
  });
  [opened, heard, isBlocked, answerShow] = [[], [], false, null];
  window.open = ((address: string, name: string) => {
    if (isBlocked) return null;
    // What is kept for a window begins as a copy of its opener's.
    const group = window.sessionStorage.getItem(GROUP_KEY);
    const kept = new Map(group === null ? [] : [[GROUP_KEY, group]]);
    const record: Opened = { address, name, focused: 0, closed: false, kept };
    opened.push(record);
    return Object.assign(record, {
      focus: () => void (record.focused += 1),
      sessionStorage: { getItem: (key: string) => kept.get(key) ?? null },
    });
  }) as unknown as typeof window.open;
  other = new BroadcastChannel('bellbird-links');
  other.onmessage = ({ data }) => {
    const message = data as LinkMessage;
    heard.push(message);
    if (message.type === 'show' && answerShow !== null) {
      other.postMessage({ type: 'shown', request: message.request, window: answerShow });
    }
  };
  window.location.hash = '#/login';
  stops = [
    giveLayout(),
    startRouter(),
    startSettings(),
    startLive((take) => {
      receive = take;
      return () => undefined;
    }),
  ];
});
afterEach(() => {
  cleanup();
  endSession();
  for (const window of opened) window.closed = true;
  for (const stop of stops) stop();
  other.close();
  window.open = realOpen;
  joinGroup(FIRST_GROUP);
  server.restore();
});

async function open(route: string) {
  startSession({ accessToken: 'token', accessLevel: 1 });
  await loadSettings();
  navigate(route);
  render(<App />);
  list(market);
}
function list(stocks: readonly Stock[]): void {
  const snapshot = {
    stocks: Object.fromEntries(stocks.map((stock) => [stock.code, { ...stock }])),
    meta: aMeta({ stockCount: stocks.length }),
    fx: { data: {}, lastUpdated: null },
  };
  act(() => receive({ type: 'state', connection: 'live', state: fromSnapshot(snapshot, Date.now()) }));
}
const rowOf = (code: string) => document.querySelector<HTMLElement>(`tr[data-id="${code}"]`);
async function goToRow(code: string) {
  await waitFor(() => expect(rowOf(code) === null).toBe(false));
  act(() => rowOf(code)?.focus());
}
const say = (message: LinkMessage) => other.postMessage(message);

describe('a scanner’s window', () => {
  test('says which row is gone to, in its group', async () => {
    await open('/intra-day-small');
    await goToRow('TNY');
    await waitFor(() => expect(heard).toEqual([{ type: 'choose', group: 'gold', code: 'TNY' }]));
  });

  test('says nothing once it is not linked, and keeps that over a reload', async () => {
    await open('/intra-day-small');
    const chip = await screen.findByRole('combobox', { name: 'Linked windows' });
    await userEvent.selectOptions(chip, 'Not linked');
    expect(window.sessionStorage.getItem('bellbird.linkGroup')).toBe('none');
    await goToRow('TNY');
    await userEvent.selectOptions(chip, '2 Blue');
    await goToRow('SML');
    await waitFor(() => expect(heard).toEqual([{ type: 'choose', group: 'blue', code: 'SML' }]));
    expect(window.sessionStorage.getItem('bellbird.linkGroup')).toBe('blue');
  });
});

describe('c', () => {
  test('opens a window with the row’s chart where none follows', async () => {
    await open('/intra-day-small');
    await goToRow('TNY');
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened).toHaveLength(1));
    expect(opened[0]?.address).toEndWith('/#/chart?symbol=TNY');
    expect(opened[0]?.name).toStartWith('bellbird:chart:');
    expect(opened[0]?.focused).toBe(1);
  });

  test('has the window that follows show it, and brings it to the front', async () => {
    await open('/intra-day-small');
    await goToRow('TNY');
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened).toHaveLength(1));
    answerShow = opened[0]?.name ?? '';
    await goToRow('SML');
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened[0]?.focused).toBe(2));
    expect(opened).toHaveLength(1);
    expect(heard.filter(({ type }) => type === 'show').at(-1)).toMatchObject({ group: 'gold', code: 'SML' });
  });

  const openTwo = async (): Promise<Opened | undefined> => {
    await open('/intra-day-small');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Linked windows' }), '2 Blue');
    await goToRow('TNY');
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened).toHaveLength(1));
    await goToRow('SML');
    return opened[0];
  };

  test('waits for a window that it opened and that is slow to answer, instead of opening another', async () => {
    const slow = await openTwo();
    await userEvent.keyboard('c');
    // It hears the second time that it is asked.
    await waitFor(() => expect(heard.filter(({ type }) => type === 'show')).toHaveLength(3));
    answerShow = slow?.name ?? '';
    await waitFor(() => expect(slow?.focused).toBe(2));
    expect(opened).toHaveLength(1);
  });

  test.each([
    ['was closed', (window: Opened) => void (window.closed = true)],
    ['is in another group by now', (window: Opened) => void window.kept.set(GROUP_KEY, 'pink')],
  ])('opens another at once where the first %s', async (_, leave) => {
    const first = await openTwo();
    if (first) leave(first);
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened).toHaveLength(2));
    expect(heard.filter(({ type }) => type === 'show')).toHaveLength(2);
  });

  test('where the browser blocks windows says so, and shows the chart in this one', async () => {
    isBlocked = true;
    await open('/intra-day-small');
    await goToRow('TNY');
    await userEvent.keyboard('c');
    await screen.findByRole('heading', { name: 'TNY' });
    expect(window.location.hash).toBe('#/chart?symbol=TNY');
    await waitFor(() =>
      expect(document.querySelector('.snackbar')?.textContent).toStartWith('The browser blocked'),
    );
  });

  test('without a row says how to get to one', async () => {
    await open('/intra-day-small');
    await waitFor(() => expect(rowOf('SML') === null).toBe(false));
    await userEvent.keyboard('c');
    await waitFor(() =>
      expect(document.querySelector('.snackbar')?.textContent).toBe('Go to a row first, with ↓ or j'),
    );
    expect(opened).toEqual([]);
  });

  test('is in the palette, by the word and the code', async () => {
    await open('/intra-day-small');
    await waitFor(() => expect(rowOf('SML') === null).toBe(false));
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(
      await screen.findByRole('combobox', { name: 'Symbol, screen or action' }),
      'chart tny',
    );
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(opened[0]?.address).toEndWith('/#/chart?symbol=TNY'));
  });
});

describe('a chart’s window', () => {
  test('has symbol, price and change in its title, and follows its group', async () => {
    await open('/chart?symbol=tny');
    await screen.findByRole('heading', { name: 'TNY' });
    await waitFor(() => expect(document.title).toBe('TNY 0.045 ▼1.0% · Bellbird'));
    say({ type: 'choose', group: 'blue', code: 'XXX' });
    say({ type: 'choose', group: 'gold', code: 'SML' });
    await screen.findByRole('heading', { name: 'SML' });
    await waitFor(() => expect(window.location.hash).toBe('#/chart?symbol=SML'));
    await waitFor(() => expect(document.title).toBe('SML 0.500 ▲2.0% · Bellbird'));
  });

  test('answers whoever wants a chart of its group', async () => {
    await open('/chart?symbol=TNY');
    await screen.findByRole('heading', { name: 'TNY' });
    say({ type: 'show', group: 'gold', code: 'SML', request: '1' });
    await screen.findByRole('heading', { name: 'SML' });
    await waitFor(() => expect(heard).toContainEqual({ type: 'shown', request: '1', window: window.name }));
  });

  test('leads with what is typed into it', async () => {
    await open('/chart?symbol=TNY');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Symbol' }), 'sml{Enter}');
    await screen.findByRole('heading', { name: 'SML' });
    await waitFor(() => expect(heard).toContainEqual({ type: 'choose', group: 'gold', code: 'SML' }));
  });

  test('says of a code that is typed and unknown that it is, and stays where it was', async () => {
    await open('/chart?symbol=TNY');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Symbol' }), 'nope{Enter}');
    await screen.findByText('Unknown code: choose one from the list');
    screen.getByRole('heading', { name: 'TNY' });
  });

  test('says once of a code that nothing is known of it, and offers no way that leads nowhere', async () => {
    const error = 'No stock with the code GONE is known here.';
    server.answers['GET /api/data/bars'] = { status: 404, body: { error, field: 'symbol' } };
    await open('/chart?symbol=GONE');
    await screen.findByText(error);
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent ?? '');
    expect(said.filter((text) => text.includes('GONE'))).toEqual([error]);
    const chart = within(screen.getByRole('region', { name: 'Chart of GONE' }));
    expect(chart.queryAllByRole('button', { name: 'Retry' })).toHaveLength(0);
  });

  test('shows the last bars of a stock that is not in the live list, and asks nothing about its day', async () => {
    const note = 'GONE is not in the live list. These are its last known bars.';
    const bars = { time: [60_000], open: [1], high: [1], low: [1], close: [1], volume: [5] };
    server.answers['GET /api/data/bars'] = { body: { symbol: 'GONE', tf: '1', bars, note } };
    await open('/chart?symbol=GONE');
    await screen.findByText(note);
    // The announcements are asked for together with it.
    await waitFor(() => expect(server.to('/api/data/news/search')).toHaveLength(1));
    expect(server.to('/api/data/day-events')).toEqual([]);
  });

  test('a stock that comes into the live list after a restart is not said to be missing from it', async () => {
    const note = 'NEW is not in the live list. These are its last known bars.';
    const bars = { time: [60_000], open: [1], high: [1], low: [1], close: [1], volume: [5] };
    const told = { symbol: 'NEW', tf: '1', bars, quote: null };
    server.answers['GET /api/data/bars'] = { body: { ...told, note } };
    await open('/chart?symbol=NEW');
    await screen.findByText(note);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.answers['GET /api/data/bars'] = async () => {
      await answered;
      return { body: { ...told, note: null } };
    };
    const asked = server.to('/api/data/bars').length;
    list([...market, aStock({ code: 'NEW', status: 'Open', last: 1.1 })]);
    expect(screen.queryByText(note)).toBeNull();
    await waitFor(() => expect(server.to('/api/data/bars')).toHaveLength(asked + 1));
    answer();
    // Known from then on, so it is not asked for with each tick.
    list([...market, aStock({ code: 'NEW', status: 'Open', last: 1.2 })]);
    expect(server.to('/api/data/bars')).toHaveLength(asked + 1);
  });

  test('a chart that knew nothing of a code is drawn once the stock is there', async () => {
    const error = 'No stock with the code NEW is known here.';
    server.answers['GET /api/data/bars'] = { status: 404, body: { error, field: 'symbol' } };
    await open('/chart?symbol=NEW');
    await screen.findByText(error);
    const bars = { time: [60_000], open: [1], high: [1], low: [1], close: [1], volume: [5] };
    server.answers['GET /api/data/bars'] = {
      body: { symbol: 'NEW', tf: '1', bars, quote: null, note: null },
    };
    list([...market, aStock({ code: 'NEW', status: 'Open', last: 1.1 })]);
    await waitFor(() => expect(screen.queryByText(error)).toBeNull());
  });

  test('says the same of what can be no code, also where another stock was shown, and goes on from there', async () => {
    await open('/chart?symbol=<b>BHP</b>');
    await screen.findByText(/^No stock with the code <B>BHP<\/B> is known here/);
    expect(heard.map(({ type }) => type)).not.toContain('ask');
    act(() => navigate('/chart?symbol=TNY'));
    await screen.findByRole('heading', { name: 'TNY' });
    act(() => navigate('/chart?symbol=a%20very%20long%20company'));
    await screen.findByText(/^No stock with the code A VERY LONG … is known here/);
    say({ type: 'choose', group: 'gold', code: 'SML' });
    await screen.findByRole('heading', { name: 'SML' });
    expect(screen.queryByText(/^No stock with the code/)).toBeNull();
  });

  test('without a stock says how to choose one, and its title goes with it', async () => {
    joinGroup('pink');
    await open('/chart');
    await screen.findByText('No stock chosen yet.');
    expect(document.title).toBe('Chart · Bellbird');
    act(() => navigate('/chart?symbol=SML'));
    await waitFor(() => expect(document.title).toStartWith('SML 0.500'));
    act(() => navigate('/settings'));
    await waitFor(() => expect(document.title).toBe('Settings · Bellbird'));
  });
});
