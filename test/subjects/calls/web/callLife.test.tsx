import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CallInput } from '../../../../src/subjects/calls/rules/types.ts';
import { CallsScreen } from '../../../../src/subjects/calls/web/CallsScreen.tsx';
import { lifeChart, lifeMarks } from '../../../../src/subjects/calls/web/life/lifeChart.ts';
import { lifeAnswer } from '../../../../src/subjects/calls/answers/life.ts';
import { RecordLink } from '../../../../src/subjects/calls/web/parts/RecordLink.tsx';
import { recordAnswer } from '../../../../src/subjects/calls/answers/record.ts';
import { readerOf } from '../../../../web/api/readerOf.ts';
import { resultScale } from '../../../../src/subjects/calls/web/record/ResultDots.tsx';
import { resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { goTo } from '../../../../web/router/navigate.ts';
import { screenTitle } from '../../../../web/router/screenTitle.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';
import { findings } from '../../../support/axe.ts';

const readLife = readerOf(lifeAnswer);
const readSubmitterRecord = readerOf(recordAnswer);

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
  test('shows a visitor no gain that is in review, and says what that means', async () => {
    const { user, call } = await post('Ann');
    page.app.clock.advance(1000);
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 42, volume: 2100 });
    page.app.parts.calls.service.end(user, call.publicId, { kind: 'close', pocketedValue: 5_000_000 });
    page.quote({ code: 'BHP', last: 42, volume: 2200 });
    show(`/calls/${call.publicId}`);
    await screen.findByText(
      'In review. Until an administrator has decided, only a loss by the recorded prices counts.',
    );
    const results = [...document.querySelectorAll('.call-life-results dd')].map((one) => one.textContent);
    expect(results.slice(0, 2)).toEqual(['In review', 'In review']);
    expect(document.body.textContent).not.toContain('5,000,000');
    expect(document.body.textContent).not.toContain('No verified result');
  });

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

  test('an address that is none of a page says so', () => {
    show('/calls/by');
    expect(screen.getByText('Not found.')).toBeTruthy();
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

  test('nothing without bars, and an answer of another version breaks nothing', () => {
    expect(lifeChart(readLife({ call: { publicId: 'c1' } }))).toBeNull();
    expect(lifeChart(readLife({ call: { publicId: 'c1' }, path: { bars: 7 }, stop: [] }))).toBeNull();
    expect(() => readLife({})).toThrow();
    expect(readSubmitterRecord({ records: [{}, { source: 'simulator' }] }).records).toMatchObject([
      { source: 'simulator', ended: { count: 0, distribution: Array.from({ length: 10 }, () => 0) } },
    ]);
  });
});

test('the scale of results holds them all, and 0, from top to bottom', () => {
  const { place, lines } = resultScale([-30, 0.5, 900]);
  expect(place(900)).toBeGreaterThan(0);
  expect(place(-30)).toBeLessThan(1);
  expect(lines).toEqual([500, 200, 0, -5, -20]);
  expect(lines.map(place)).toEqual(lines.map(place).toSorted((a, b) => a - b));
});
