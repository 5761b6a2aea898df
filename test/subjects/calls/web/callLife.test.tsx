import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CallInput } from '../../../../src/subjects/calls/rules/types.ts';
import { CallsScreen } from '../../../../src/subjects/calls/web/CallsScreen.tsx';
import { lifeChart, lifeMarks } from '../../../../src/subjects/calls/web/life/lifeChart.ts';
import { lifeAnswer } from '../../../../src/subjects/calls/answers/life.ts';
import { RecordLink } from '../../../../src/subjects/calls/web/parts/RecordLink.tsx';
import { readerOf } from '../../../../web/api/readerOf.ts';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { goTo } from '../../../../web/router/navigate.ts';
import { screenTitle } from '../../../../web/router/screenTitle.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';
import { findings } from '../../../support/axe.ts';
import { pageOf } from '../../../../web/router/pageOf.ts';
import { recordPath } from '../../../../src/subjects/calls/web/addresses.ts';

const readLife = readerOf(lifeAnswer);

let page: AppInPage;
const bought: CallInput = {
  symbol: 'BHP',
  callType: 'bought',
  entryPrice: 40,
  targetPrice: 44,
  stopLossType: 'TRAILING_PCT',
  stopLoss: 5,
};

beforeEach(() => {
  page = openAppInPage();
  page.quote(listed('BHP', 40));
});
afterEach(() => {
  cleanup();
  goTo('/calls');
  page.close();
  resetCalls();
});

const post = async (username: string, change: Partial<CallInput> = {}) => {
  const user = await page.app.addUser(username);
  return { user, call: page.app.parts.calls.service.submit(user, { ...bought, ...change }) };
};
const show = (path: string) => {
  act(() => goTo(path));
  render(<CallsScreen />);
};

describe('a call under its own address', () => {
  test('names the window, says both results and what happened, and leads to its submitter', async () => {
    const { user, call } = await post('Ann O’Tool/50%', { rationale: 'Iron ore' });
    page.quote(listed('BHP', 41));
    page.app.parts.calls.service.end(user, call.publicId, { kind: 'close', pocketedValue: 120 });
    page.quote(listed('BHP', 42));
    show(`/calls/${call.publicId}`);
    await screen.findByRole('heading', { level: 1, name: 'BHP call' });
    await waitFor(() => expect(screenTitle.value).toBe('BHP call by Ann O’Tool/50%'));
    expect(screen.getByText('+$120')).toBeTruthy();
    expect(screen.getByText('Iron ore')).toBeTruthy();
    const events = within(screen.getByRole('table', { name: 'What happened to the call' }));
    expect(events.getAllByRole('row').length).toBeGreaterThanOrEqual(4);
    expect(events.getByText('Closed by Ann O’Tool/50%')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Ann O’Tool/50%' });
    expect(link.getAttribute('href')).toBe('#/calls/by/Ann%20O%E2%80%99Tool%2F50%25');
    expect(await findings(document.body)).toEqual([]);
  });

  test('that there is not gets a sentence and a way on', async () => {
    show('/calls/not-a-call');
    await screen.findByText(/^There is no such call/);
    expect(screen.getByRole('link', { name: 'Go to Calls' }).getAttribute('href')).toBe('#/calls');
    expect(screenTitle.value).toBeNull();
  });
});

test('a submitter’s name opens a record, whatever is in the name', async () => {
  const { user, call } = await post('Ann O’Tool/50%');
  page.quote(listed('BHP', 40.5));
  page.quote(listed('BHP', 42));
  page.app.parts.calls.service.end(user, call.publicId, { kind: 'close', pocketedValue: 120 });
  page.quote(listed('BHP', 41.5));
  render(<RecordLink name="Ann O’Tool/50%" inTabOrder />);
  const address = screen.getByRole('link', { name: 'Ann O’Tool/50%' }).getAttribute('href') ?? '';
  cleanup();
  show(address.slice(1));
  await screen.findByRole('heading', { level: 1, name: 'Record of Ann O’Tool/50%' });
  expect(screen.getByText(/too few to judge/)).toBeTruthy();
  const bins = within(screen.getByRole('table', { name: 'Distribution' }));
  const counts = bins.getAllByRole('row').map((row) => row.querySelector('td.is-number')?.textContent);
  expect(counts.filter((text) => text === '1')).toHaveLength(1);
  // The arrow says it where both directions have one colour.
  const month = screen.getByRole('table', { name: 'By month' });
  expect(month.querySelector('.trend.is-up, .trend.is-down')?.textContent).toMatch(/^[+−]\d/);
  await userEvent.click(screen.getByText('Show as table'));
  const calls = screen.getAllByRole('link', { name: 'BHP' });
  expect(calls[0]?.getAttribute('href')).toBe(`#/calls/${call.publicId}`);
  expect(await findings(document.body)).toEqual([]);
});

describe('what is drawn of a call', () => {
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

  test('its marks in order of time, levels, and the stop as a line and no level', () => {
    const life = readLife(answer);
    expect(lifeMarks(life).map(({ kind, price }) => [kind, price])).toEqual([
      ['entry', 40.2],
      ['entry', 40],
      ['level', 44.1],
      ['exit', undefined],
      ['correction', undefined],
    ]);
    const chart = lifeChart(life);
    expect(chart?.levels?.map(({ kind, price }) => [kind, price])).toEqual([
      ['entry', 40],
      ['target', 44],
    ]);
    expect(chart?.paths).toEqual([{ kind: 'stop', title: 'Stop', time: [1, 2], price: [38, 39] }]);
    // Of an open call it goes on to the newest bar.
    const open = { ...life, call: { ...life.call, status: 'open' as const } };
    expect(lifeChart({ ...open, stop: { from: 'tracker', time: [1], price: [38] } })?.paths).toEqual([
      { kind: 'stop', title: 'Stop', time: [1, 2], price: [38, 38] },
    ]);
  });
});

test('a name comes back from its address whatever is in it, and a broken address breaks nothing', () => {
  for (const name of ['Anna B', 'a/b?c#d%', 'by', '..', '😀', 'ä'.repeat(50)]) {
    expect(pageOf(`#${recordPath(name)}`, '/calls')).toEqual(['by', name]);
  }
  expect(pageOf('#/calls', '/calls')).toEqual([]);
  expect(pageOf('#/calls/by/50%', '/calls')).toEqual(['by', '50%']);
});
