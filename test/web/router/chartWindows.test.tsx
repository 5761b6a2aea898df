import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { navigate } from '#web/router/navigate.ts';
import { joinGroup } from '#web/windows/linkedWindows.ts';
import { FIRST_GROUP, type LinkMessage } from '#web/windows/linkGroups.ts';
import { aStock } from '#support/aStock.ts';
import { appByHand } from '#support/appByHand.tsx';

await Promise.all([
  import('#subjects/scanners/web/ScannerPage.tsx'),
  import('#subjects/stock/web/ChartPage.tsx'),
  import('#web/windows/openChart.ts'),
]);

const market = [
  aStock({ code: 'SML', name: 'Small Limited', status: 'Open', last: 0.5, change_percent: 2 }),
  aStock({ code: 'TNY', name: 'Tiny Limited', status: 'Open', last: 0.045, change_percent: -1 }),
];
const GROUP_KEY = 'bellbird.linkGroup';
const realOpen = window.open;

type Opened = { address: string; name: string; focused: number; closed: boolean; kept: Map<string, string> };

const app = appByHand();
let opened: Opened[];
let isBlocked: boolean;
/** Another window of this browser, and the messages it received. */
let other: BroadcastChannel;
let received: LinkMessage[];
let answerShow: string | null;

beforeEach(() => {
  [opened, received, isBlocked, answerShow] = [[], [], false, null];
  window.open = ((address: string, name: string) => {
    if (isBlocked) return null;
    // A popup’s session storage begins as a copy of its opener’s.
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
    received.push(message);
    if (message.type === 'show' && answerShow !== null) {
      other.postMessage({ type: 'shown', request: message.request, window: answerShow });
    }
  };
});
afterEach(() => {
  for (const window of opened) window.closed = true;
  other.close();
  window.open = realOpen;
  joinGroup(FIRST_GROUP);
});

async function open(route: string) {
  await app.open(route, 1);
  app.live.show(market);
}
const rowOf = (code: string) => document.querySelector<HTMLElement>(`tr[data-id="${code}"]`);
async function goToRow(code: string) {
  await waitFor(() => expect(rowOf(code) === null).toBe(false));
  act(() => rowOf(code)?.focus());
}
const post = (message: LinkMessage) => other.postMessage(message);

test('a scanner’s window announces the row it jumps to, in its group', async () => {
  await open('/intra-day-small');
  await goToRow('TNY');
  await waitFor(() => expect(received).toEqual([{ type: 'choose', group: 'gold', code: 'TNY' }]));
});

describe('c', () => {
  const openTwo = async (): Promise<Opened | undefined> => {
    await open('/intra-day-small');
    await userEvent.click(await screen.findByRole('button', { name: 'More' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Linked windows: 1 Gold…' }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: '2 Blue' }));
    await userEvent.keyboard('{Escape}');
    await goToRow('TNY');
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened).toHaveLength(1));
    await goToRow('SML');
    return opened[0];
  };

  test('waits for a slow chart window that it opened instead of opening another', async () => {
    const slow = await openTwo();
    await userEvent.keyboard('c');
    // It receives the second request.
    await waitFor(() => expect(received.filter(({ type }) => type === 'show')).toHaveLength(3));
    answerShow = slow?.name ?? '';
    await waitFor(() => expect(slow?.focused).toBe(2));
    expect(opened).toHaveLength(1);
  });

  test.each([
    ['was closed', (window: Opened) => void (window.closed = true)],
    ['is in another group by now', (window: Opened) => void window.kept.set(GROUP_KEY, 'pink')],
  ])('opens another immediately if the first %s', async (_, leave) => {
    const first = await openTwo();
    if (first) leave(first);
    await userEvent.keyboard('c');
    await waitFor(() => expect(opened).toHaveLength(2));
    expect(received.filter(({ type }) => type === 'show')).toHaveLength(2);
  });

  test('reports a blocked popup, and shows the chart in this window', async () => {
    isBlocked = true;
    await open('/intra-day-small');
    await goToRow('TNY');
    await userEvent.keyboard('c');
    await waitFor(() => expect(window.location.hash).toBe('#/chart?symbol=TNY'));
    await waitFor(() =>
      expect(document.querySelector('.snackbar')?.textContent).toStartWith('The browser blocked'),
    );
  });
});

describe('a chart window', () => {
  test('has symbol, price and change in its title, and follows its group', async () => {
    await open('/chart?symbol=tny');
    await screen.findByRole('heading', { name: 'TNY' });
    await waitFor(() => expect(document.title).toBe('TNY 0.045 ▼1.0% · Bellbird'));
    post({ type: 'choose', group: 'blue', code: 'XXX' });
    post({ type: 'choose', group: 'gold', code: 'SML' });
    await screen.findByRole('heading', { name: 'SML' });
    await waitFor(() => expect(window.location.hash).toBe('#/chart?symbol=SML'));
    await waitFor(() => expect(document.title).toBe('SML 0.500 ▲2.0% · Bellbird'));
  });

  test('does not report a stock as missing that enters the live list after a restart', async () => {
    const note = 'NEW is not in the live list. Showing its last known bars.';
    const bars = { time: [60_000], open: [1], high: [1], low: [1], close: [1], volume: [5] };
    const link = { symbol: 'NEW', tf: '1', bars, quote: null };
    app.server.answers['GET /api/data/bars'] = { body: { ...link, note } };
    await open('/chart?symbol=NEW');
    await screen.findByText(note);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    app.server.answers['GET /api/data/bars'] = async () => {
      await answered;
      return { body: { ...link, note: null } };
    };
    const asked = app.server.to('/api/data/bars').length;
    app.live.show([...market, aStock({ code: 'NEW', status: 'Open', last: 1.1 })]);
    expect(screen.queryByText(note)).toBeNull();
    await waitFor(() => expect(app.server.to('/api/data/bars')).toHaveLength(asked + 1));
    answer();
    // Known from here on, so it is not requested with each tick.
    app.live.show([...market, aStock({ code: 'NEW', status: 'Open', last: 1.2 })]);
    expect(app.server.to('/api/data/bars')).toHaveLength(asked + 1);
  });

  test('reports an impossible code in the same way, even after another stock, and recovers', async () => {
    await open('/chart?symbol=<b>BHP</b>');
    await screen.findByText(/^No stock has the code <B>BHP<\/B>/);
    expect(received.map(({ type }) => type)).not.toContain('ask');
    act(() => navigate('/chart?symbol=TNY'));
    await screen.findByRole('heading', { name: 'TNY' });
    act(() => navigate('/chart?symbol=a%20very%20long%20company'));
    await screen.findByText(/^No stock has the code A VERY LONG …/);
    post({ type: 'choose', group: 'gold', code: 'SML' });
    await screen.findByRole('heading', { name: 'SML' });
    expect(screen.queryByText(/^No stock has the code/)).toBeNull();
  });
});
