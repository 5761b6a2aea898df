import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CallsScreen, CallsPage } from '#subjects/calls/web/CallsScreen.tsx';
import { timelineChart, timelineMarks } from '#subjects/calls/web/timeline/TimelineView.tsx';
import { timelineAnswer } from '#subjects/calls/answers/call.ts';
import { RecordLink, recordPath } from '#subjects/calls/web/parts/pageParts.tsx';
import { readerOf } from '#web/api/client.ts';
import { resetCalls, correct, recentRows } from '#subjects/calls/web/state.ts';
import { goTo, pageOf, screenTitle } from '#web/router/navigate.ts';
import { type AppInPage, listed, openAppInPage } from '#support/appInPage.ts';
import { results } from '#support/axe.ts';
import { giveLayout } from '#support/layout.ts';
import { checkAtOnce } from '#subjects/calls/web/ledger/verify/checkAtOnce.ts';
import { createChecker } from '#subjects/calls/web/ledger/verify/verification.ts';
import { sha256 } from '#subjects/calls/server/ledger/ledger.ts';
import { BOUGHT } from '#support/callsApp.ts';
import { madeLedger } from '#support/ledgerFixture.ts';
import { RECENT_COLUMNS } from '#subjects/calls/web/parts/recentColumns.tsx';
import { loadSettings } from '#web/shared/settings.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { formatRank } from '#subjects/calls/rules/callFormat.ts';
import { rankSubmitters } from '#subjects/calls/rules/leaderboardRank.ts';
import { rankOrder } from '#subjects/calls/web/parts/OtherRanks.tsx';
import { tallyOf } from '#support/rankBoards.ts';

const readLife = readerOf(timelineAnswer);

let page: AppInPage;
let removeLayout: () => void;

beforeEach(() => {
  removeLayout = giveLayout();
  page = openAppInPage();
  page.quote(listed('BHP', 40));
});
afterEach(() => {
  goTo('/calls');
  page.close();
  resetCalls();
  removeLayout();
});

const post = async (username: string) => {
  const user = await page.app.addUser(username);
  return { user, call: page.app.parts.calls.service.submit(user, { ...BOUGHT, rationale: 'Iron ore' }) };
};
const show = (path: string) => {
  act(() => goTo(path));
  render(<CallsScreen />);
};

describe('a call’s own page', () => {
  test('names the window, shows both results and the timeline, and links to the submitter', async () => {
    const { user, call } = await post('Ann O’Tool/50%');
    page.quote(listed('BHP', 41));
    page.app.parts.calls.service.end(user, call.publicId, { kind: 'close', pocketedValue: 120 });
    page.quote(listed('BHP', 42));
    show(`/calls/${call.publicId}`);
    await screen.findByRole('heading', { level: 1, name: 'BHP call' });
    await waitFor(() => expect(screenTitle.value).toBe('BHP call by Ann O’Tool/50%'));
    expect(screen.getByText('+$120')).toBeTruthy();
    expect(screen.getByText('Iron ore')).toBeTruthy();
    const events = within(screen.getByRole('table', { name: 'Timeline of the call' }));
    expect(events.getAllByRole('row').length).toBeGreaterThanOrEqual(4);
    expect(events.getByText('Closed by Ann O’Tool/50%')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Ann O’Tool/50%' });
    expect(link.getAttribute('href')).toBe('#/calls/by/Ann%20O%E2%80%99Tool%2F50%25');
    expect(await results(document.body)).toEqual([]);
  });

  test('shows a message and a link for an unknown call', async () => {
    show('/calls/not-a-call');
    await screen.findByText(/^This call does not exist/);
    expect(screen.getByRole('link', { name: 'Go to Calls' }).getAttribute('href')).toBe('#/calls');
    expect(screenTitle.value).toBeNull();
  });
});

test('a submitter’s name opens a track record, for any name', async () => {
  const { user, call } = await post('Ann O’Tool/50%');
  page.quote(listed('BHP', 40.5));
  page.quote(listed('BHP', 42));
  page.app.parts.calls.service.end(user, call.publicId, { kind: 'close', pocketedValue: 120 });
  page.quote(listed('BHP', 41.5));
  render(<RecordLink name="Ann O’Tool/50%" inTabOrder />);
  const address = screen.getByRole('link', { name: 'Ann O’Tool/50%' }).getAttribute('href') ?? '';
  cleanup();
  show(address.slice(1));
  await screen.findByRole('heading', { level: 1, name: 'Track record of Ann O’Tool/50%' });
  expect(screen.getByText(/too few to rule out luck/)).toBeTruthy();
  const bins = within(screen.getByRole('table', { name: 'Distribution' }));
  const counts = bins.getAllByRole('row').map((row) => row.querySelector('td.is-number')?.textContent);
  expect(counts.filter((text) => text === '1')).toHaveLength(1);
  // The arrow shows the direction if both have the same colour.
  const month = screen.getByRole('table', { name: 'By month' });
  expect(month.querySelector('.trend.is-up, .trend.is-down')?.textContent).toMatch(/^[+−]\d/);
  await userEvent.click(screen.getByText('Show as table'));
  const calls = screen.getAllByRole('link', { name: 'BHP' });
  expect(calls[0]?.getAttribute('href')).toBe(`#/calls/${call.publicId}`);
  expect(await results(document.body)).toEqual([]);
});

const answer = {
  call: {
    publicId: 'c1',
    symbol: 'BHP',
    callType: 'buy',
    status: 'closed',
    entryPrice: 40,
    targetPrice: '44',
    stopLossType: 'TRAILING_PCT',
    stopLoss: 5,
    stopLevel: 39,
    submittedBy: { display: 'ann' },
    submittedAt: '2026-11-10T00:00:00Z',
    closedAt: '2026-11-10T02:00:00Z',
    priceAtSubmission: 40.2,
    entryTrade: { at: '2026-11-10T00:30:00Z', price: 40 },
    targetReached: { at: '2026-11-10T01:00:00Z', price: 44.1 },
    corrections: [
      { at: '2026-11-11T00:00:00Z', by: { display: 'root' }, reason: 'A bad print', changes: [] },
    ],
  },
  path: {
    tf: '5',
    bars: { time: [1, 2], open: [1, 1], high: [1, 1], low: [1, 1], close: [1, 1], volume: [1, null] },
  },
  stop: { from: 'bars', time: [1, 2], price: [38, 39] },
};

test('the chart of a call has marks in order of time, levels, and the stop as a line', () => {
  const timeline = readLife(answer);
  expect(timelineMarks(timeline).map(({ kind, price }) => [kind, price])).toEqual([
    ['entry', 40.2],
    ['entry', 40],
    ['level', 44.1],
    ['exit', undefined],
    ['correction', undefined],
  ]);
  const chart = timelineChart(timeline);
  expect(chart?.levels?.map(({ kind, price }) => [kind, price])).toEqual([
    ['entry', 40],
    ['target', 44],
  ]);
  expect(chart?.paths).toEqual([{ kind: 'stop', title: 'Stop', time: [1, 2], price: [38, 39] }]);
  // For an open call it continues to the newest bar.
  const open = { ...timeline, call: { ...timeline.call, status: 'open' as const } };
  expect(timelineChart({ ...open, stop: { from: 'tracker', time: [1], price: [38] } })?.paths).toEqual([
    { kind: 'stop', title: 'Stop', time: [1, 2], price: [38, 38] },
  ]);
});

test('a name survives its address for any characters, and a broken address is harmless', () => {
  for (const name of ['Anna B', 'a/b?c#d%', 'by', '..', '😀', 'ä'.repeat(50)]) {
    expect(pageOf(`#${recordPath(name)}`, '/calls')).toEqual(['by', name]);
  }
  expect(pageOf('#/calls', '/calls')).toEqual([]);
  expect(pageOf('#/calls/by/50%', '/calls')).toEqual(['by', '50%']);
});

/** Posts this many calls of one user. */
async function postCalls(times: number): Promise<void> {
  const { user } = await post('Anna Bee');
  for (let time = 1; time < times; time += 1)
    page.app.parts.calls.service.submit(user, { ...BOUGHT, rationale: 'Iron ore' });
}
const headOf = () => page.app.parts.calls.service.ledger.head() ?? { number: 0, hash: '' };
const rewrite = (sql: string): void => void page.app.db.$client.run(sql);

describe('the ledger page', () => {
  test('verifies the chain, shows the result in a sentence, and lists the entries in words', async () => {
    await postCalls(2);
    page.quote(listed('BHP', 45));
    show('/calls/ledger');
    await screen.findByText('6 entries and 4 names and texts verified: the chain is intact.');
    expect(screenTitle.value).toBe('Ledger of calls');
    expect(screen.getByText(headOf().hash)).toBeTruthy();
    const table = within(await screen.findByRole('grid', { name: 'Newest entries' }));
    expect((await table.findAllByText(/^Target reached at 45/)).length).toBe(2);
    await userEvent.click(table.getByRole('button', { name: 'Details of entry 1' }));
    await table.findByText('Rationale: Iron ore');
    expect(table.getByText('Submitter: Anna Bee')).toBeTruthy();
    expect(table.getByRole('link', { name: 'Open this call as a page' }).getAttribute('href')).toStartWith(
      '#/calls/',
    );
    expect(await results(document.body)).toEqual([]);
  });

  test('verifies again from the keyboard, keeping focus, typed text and entries', async () => {
    await postCalls(1);
    show('/calls/ledger');
    const again = await screen.findByRole('button', { name: 'Verify again' });
    await userEvent.type(screen.getByRole('textbox', { name: 'Entry' }), '7');
    await act(async () => page.quote(listed('BHP', 45)));
    again.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByText(/entr(?:y|ies) and .* verified/);
    await screen.findByRole('button', { name: 'Verify again' });
    expect(document.activeElement).toBe(again);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Entry' }).value).toBe('7');
    await screen.findAllByText(/^Target reached at 45/);
  });

  test('shows the first broken entry, with the expected and the actual value', async () => {
    await postCalls(3);
    rewrite(`UPDATE call_ledger SET line = replace(line, '"target":44', '"target":43') WHERE number = 2`);
    show('/calls/ledger');
    await screen.findByText('The chain breaks at entry 2: its text does not match its hash.');
    const expected = screen.getByText('Expected').nextElementSibling?.textContent;
    const found = screen.getByText('Found').nextElementSibling?.textContent;
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
    expect(found).toMatch(/^[0-9a-f]{64}$/);
    expect(found).not.toBe(expected as string);
    expect(screen.getAllByText(/target 43/).length).toBeGreaterThan(0);
    expect(await results(document.body)).toEqual([]);
  });

  test('resumes from where loading failed', async () => {
    page.fail(() => 'offline');
    show('/calls/ledger');
    await screen.findByRole('button', { name: 'Retry' });
    await postCalls(1);
    let asked = 0;
    page.fail(() => ((asked += 1) === 2 ? Response.json({ error: 'Too often.' }, { status: 429 }) : null));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(asked).toBeGreaterThan(1));
    await screen.findByText(/Too often\./);
    page.fail(null);
    for (const button of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(button);
    await screen.findByText(/^1 entry .*verified/);
  });
});

const typed = async (number: string, hash: string): Promise<void> => {
  const line = screen.getByRole('textbox', { name: 'Entry' });
  const box = screen.getByRole('textbox', { name: 'Hash' });
  await userEvent.clear(line);
  await userEvent.clear(box);
  if (number !== '') await userEvent.type(line, number);
  await userEvent.click(box);
  await userEvent.paste(hash);
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
};

test('checks a saved hash: found, not found or beyond the end; a pasted one fills both fields', async () => {
  await postCalls(2);
  const noted = headOf();
  await act(async () => page.quote(listed('BHP', 41)));
  show('/calls/ledger');
  await screen.findByText(/verified: the chain is intact/);
  await typed('', `${noted.number} ${noted.hash}`);
  await screen.findByText(/^It matches/);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Entry' }).value).toBe('2');
  await typed('1', noted.hash);
  await screen.findByText(/^It does not match/);
  await typed('900', noted.hash.slice(0, 12));
  await screen.findByText(/The chain ends at entry \d+, before your saved entry/);
});

const ROWS = madeLedger(40);

test('without a worker the page verifies entries itself with the same result', async () => {
  const checker = createChecker();
  const from = { number: 20, hash: ROWS[19]?.hash ?? '' };
  const broken = ROWS.slice(20).with(3, { line: '{}', hash: sha256('{}'), openings: [] });
  const checked = await checker.check({ rows: broken, from }, new AbortController().signal);
  expect(checked).toMatchObject({ fault: { number: 24, of: 'number' } });
  expect(checked).toEqual(checkAtOnce({ rows: broken, from }, sha256));
});

describe('the calls page', () => {
  test('shows a failed load, empties the lists, and loads again', async () => {
    await post('ann');
    render(<CallsPage />);
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    expect(screen.getByText(/^Updated 11:00:00$/)).toBeTruthy();
    expect(screen.getByText('General information only, not financial advice')).toBeTruthy();
    page.fail(() => 'offline');
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByText('Failed to load calls');
    expect(recentRows.value).toHaveLength(0);
    // Emptied, but an empty state would claim that there are none.
    expect(screen.getAllByText('The calls could not be loaded.')).toHaveLength(2);
    expect(screen.queryByText('No calls recorded.')).toBeNull();
    expect(screen.queryByText('No calls yet.')).toBeNull();
    page.fail(null);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    expect(screen.queryByText('Failed to load calls')).toBeNull();
  });

  const cell = (id: string): string => {
    const [row] = recentRows.value;
    const column = RECENT_COLUMNS.find((one) => one.id === id);
    return (row && column?.text(row)) ?? '';
  };

  test('a gain in review has no value or direction for visitors, and is marked for administrators', async () => {
    const { user, call: posted } = await post('ann');
    page.app.clock.advance(1000);
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 42, volume: 2100 });
    page.app.parts.calls.service.end(user, posted.publicId, { kind: 'close', pocketedValue: 5_000_000 });
    page.quote({ code: 'BHP', last: 42, volume: 2200 });
    const view = render(<CallsPage />);
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    const tone = (id: string) => {
      const column = RECENT_COLUMNS.find((one) => one.id === id);
      return recentRows.value.map((row) => column?.tone?.(row));
    };
    const taken = (id: string) => {
      const column = RECENT_COLUMNS.find((one) => one.id === id);
      return recentRows.value.map((row) => column?.exported?.[0]?.value(row));
    };
    expect([cell('pocketed'), cell('result')]).toEqual(['In review', 'In review']);
    expect([tone('pocketed'), tone('result')]).toEqual([[null], [null]]);
    expect([taken('pocketed'), taken('result')]).toEqual([['In review'], ['In review']]);
    const status = RECENT_COLUMNS.find(({ id }) => id === 'status');
    const pills = render(<>{recentRows.value.map((row) => status?.render?.(row, false))}</>);
    expect(pills.container.textContent).toBe('ClosedIn review');
    pills.unmount();
    expect(screen.getByText('No calls yet.')).toBeTruthy();
    view.unmount();
    const admin = await page.app.user('admin');
    startSession({ accessToken: await page.app.tokenOf(admin), accessLevel: 4 });
    render(<CallsPage />);
    await waitFor(() => expect(cell('pocketed')).toBe('+$5,000,000 (in review)'));
    expect(cell('result')).toBe('+5.0% (in review)');
    expect([tone('pocketed'), tone('result')]).toEqual([[null], [null]]);
  });

  test('closes an own call in its row: the value has the focus, and Enter closes', async () => {
    await page.signIn('maggie');
    await act(loadSettings);
    const maggie = { id: 1, username: 'maggie' };
    page.app.parts.calls.service.submit(maggie, BOUGHT);
    render(<CallsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Close BHP' }));
    const box = await screen.findByRole('spinbutton', { name: 'Pocketed $ for BHP' });
    expect(document.activeElement === box).toBe(true);
    await userEvent.keyboard('0{Enter}');
    const undo = await screen.findByRole('button', { name: 'Undo: BHP' });
    expect(page.app.parts.calls.service.mine(maggie)[0]?.ending?.kind).toBe('close');
    expect(document.activeElement === undo).toBe(true);
  });

  test('a correction shows the original value, author and reason', async () => {
    await post('ann');
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 45, volume: 2100 });
    const admin = await page.app.addUser('boss', { isAdmin: true });
    startSession({ accessToken: await page.app.tokenOf(admin), accessLevel: 4 });
    render(<CallsPage />);
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    act(() => correct(recentRows.value[0]?.call ?? null));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct BHP by ann' }));
    await userEvent.clear(dialog.getByLabelText('Target reached'));
    await userEvent.type(dialog.getByLabelText('Reason'), 'A bad print.');
    expect(await results(screen.getByRole('dialog'))).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    const list = within(screen.getByText('Corrections (1)').parentElement ?? document.body);
    expect(list.getByText(/of ann: A bad print\.$/)).toBeTruthy();
    expect(list.getByText('Target reached: 45, 18 Nov 11:00 → none')).toBeTruthy();
    expect(list.getByText('boss, 18 Nov 11:00')).toBeTruthy();
    expect(recentRows.value[0]?.call.targetReached).toBeNull();
  });

  test('the page watches only the symbols of its calls, and every symbol while a call is entered', async () => {
    await page.signIn('maggie');
    await post('anna');
    await post('bert');
    render(<CallsPage />);
    await waitFor(() => expect(page.watched()).toEqual({ all: false, codes: ['BHP'], scanners: [] }));
    await userEvent.click(await screen.findByRole('button', { name: 'Add Call' }));
    await screen.findByRole('combobox', { name: 'Symbol' });
    expect(page.watched()?.all).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(page.watched()?.all).toBe(false));
  });
});

const DAY = 86_400_000;

/** This many results, one per day, cycling through the percentages. */
const tally = (display: string, count: number, ...percents: number[]) =>
  tallyOf(
    display,
    Array.from({ length: count }, (_, index) => ({
      percent: percents[index % percents.length] ?? 0,
      isShort: false,
      market: null,
      symbol: `S${index}`,
      from: index * DAY,
      until: index * DAY + 1000,
    })),
  );

test('sorted by rank, the table has the server’s order, then unranked submitters by mean', () => {
  const ranked = rankSubmitters([
    tally('Aloss', 30, -1.6),
    tally('Beginner', 3, 9),
    tally('Cnone', 0),
    tally('Dgain', 25, 20, -17),
    tally('Gprovisional', 5, 40),
    tally('Eproven', 60, 40),
    tally('Fbetter', 60, 50),
  ]);
  const shown = ranked.toReversed().sort((a, b) => rankOrder(a.metrics) - rankOrder(b.metrics));
  expect(shown.map(({ submitter }) => submitter.display)).toEqual([
    'Fbetter',
    'Eproven',
    'Gprovisional',
    'Dgain',
    'Aloss',
    'Beginner',
    'Cnone',
  ]);
  expect(shown).toEqual(ranked);
  expect(shown.slice(2, 6).map(({ metrics }) => formatRank(metrics))).toEqual([
    '3 provisional',
    'No rank',
    'No rank',
    'Too few to rank (3 of 10 days)',
  ]);
});
