import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { NewsDay, Stock } from '#market/rules/stock.ts';
import { loadAppInfo } from '#web/shared/appInfo.ts';
import { startLive } from '#web/live/market.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { MarketMeta, ToWindow } from '#web/live/stream/protocol.ts';
import { NewsRow } from '#subjects/stock/web/shared/RowPanel.tsx';
import { forgetNewsRequests } from '#subjects/announcements/web/shared/newsRequests.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { aStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';
import { aNewsDay } from '#support/aNewsDay.ts';
import { aMeta } from '#support/market.ts';

const TODAY = '2026-11-20';
const THURSDAY = '2026-11-19';
const UPDATE = 'POST /api/data/news/update';
const SUMMARISE = 'POST /api/data/news/summarise';

const REPORT = {
  headline: 'Quarterly Report',
  url: 'https://example.com/report.pdf',
  announcementTypes: ['Periodic Reports', 'Quarterly'],
  isPriceSensitive: true,
  time: '2026-11-19T22:10:00Z',
};
const withReport = (change: Partial<NewsDay> = {}): Stock =>
  aStock({ code: 'NWS', news: { [TODAY]: aNewsDay({ announcements: { r: REPORT }, ...change }) } });

const server = pageApi(() => ({
  'GET /api/app': { body: { test: false, version: '1', commit: 'c', hasModel: true } },
}));
afterEach(() => {
  jest.useRealTimers();
  forgetNewsRequests();
});

async function show(stock: Stock, { level = 2, hasModel = true } = {}) {
  server.answers['GET /api/app'] = { body: { test: false, version: '1', commit: 'c', hasModel } };
  await loadAppInfo();
  if (level > 0) startSession({ accessToken: 'token', accessLevel: level });
  const row = (next: Stock) => <NewsRow row={next} today={TODAY} hasAlertButton />;
  const view = render(row(stock));
  return (next: Stock) => view.rerender(row(next));
}
const article = () => screen.getByRole('article', { name: 'News for NWS' });
const button = (name: string) => within(article()).queryByRole('button', { name });
const press = (name: string) => userEvent.click(within(article()).getByRole('button', { name }));
const card = () => screen.getByRole('group', { name: 'Summary' });
const bodies = (name: string) => server.to(name).map(({ body }) => body);

describe('a refresh', () => {
  test('sends the symbol and shows that updates appear within a few seconds', async () => {
    server.answers[UPDATE] = { body: { success: true, message: 'Updates appear within a few seconds.' } };
    await show(aStock({ code: 'NWS' }));
    await press('Refresh news');
    expect(bodies('/api/data/news/update')).toEqual([{ symbol: 'NWS' }]);
    expect(within(article()).getByText('Updates appear within a few seconds.')).toBeTruthy();
    expect(document.activeElement).toBe(button('Refresh news'));
  });

  test('shows the server’s error or its own, and can be tried again', async () => {
    server.answers[UPDATE] = { status: 502, body: {} };
    await show(aStock({ code: 'NWS' }));
    await press('Refresh news');
    expect(screen.getByRole('alert').textContent).toBe('Failed to refresh news');
    server.answers[UPDATE] = { body: { success: false, message: 'The ASX does not answer.' } };
    await press('Refresh news');
    expect(screen.getByRole('alert').textContent).toBe('The ASX does not answer.');
    server.answers[UPDATE] = 'offline';
    await press('Refresh news');
    expect(screen.getByRole('alert').textContent).toBe('Network error. Try again.');
    server.answers[UPDATE] = { body: {} };
    await press('Refresh news');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a summary', () => {
  test('is offered by level and model, unless there is one', async () => {
    const change = await show(withReport(), { level: 1 });
    expect(button('Summarise')).toBeNull();
    expect(card().textContent).toBe('No summary available yet.');
    act(() => startSession({ accessToken: 'other', accessLevel: 2 }));
    expect(button('Summarise')).not.toBeNull();
    change(withReport({ summary: 'Output rose.' }));
    expect(button('Summarise')).toBeNull();
    cleanup();
    await show(withReport(), { hasModel: false });
    expect(button('Summarise')).toBeNull();
  });

  test('shows how long it takes, waits for the stream, and shows the text', async () => {
    server.answers[SUMMARISE] = {
      body: { success: true, state: 'running', summary: null, message: 'This takes about 30 seconds.' },
    };
    const change = await show(withReport());
    await press('Summarise');
    expect(bodies('/api/data/news/summarise')).toEqual([{ symbol: 'NWS' }]);
    expect(card().textContent).toBe('This takes about 30 seconds.');
    expect(card().getAttribute('aria-busy')).toBe('true');
    expect(button('Summarising…')?.getAttribute('aria-disabled')).toBe('true');
    change(
      withReport({
        summary: '<img src=x onerror=alert(1)> Output rose.\nCosts fell.',
        summary_generated_at: '2026-11-19T22:40:00Z',
        summary_of: 'r',
      }),
    );
    expect(document.activeElement).toBe(article());
    expect(card().querySelector('img')).toBeNull();
    expect(card().getAttribute('aria-busy')).toBe('false');
    const text = card().textContent ?? '';
    expect(text).toContain('<img src=x onerror=alert(1)> Output rose.');
    expect(text).toContain('Generated 09:40');
    expect(text).toContain('Of Quarterly Report, 09:10');
    expect(text).toContain('Written by an AI model from the announcement; may be wrong');
    expect(within(card()).getByRole('link').getAttribute('href')).toBe('https://example.com/report.pdf');
  });

  test('that failed shows the reason and the button again, also the second time', async () => {
    server.answers[SUMMARISE] = { body: { success: true, state: 'queued', summary: null } };
    const change = await show(withReport());
    await press('Summarise');
    expect(card().textContent).toBe('A summary takes about 30 seconds.');
    const failed = withReport({ summary_note: 'The model took too long.' });
    change(failed);
    expect(card().textContent).toBe('No summary available yet.The model took too long.');
    await press('Summarise');
    expect(card().textContent).toBe('A summary takes about 30 seconds.');
    change(withReport());
    expect(button('Summarising…')).not.toBeNull();
    change(failed);
    await waitFor(() => expect(button('Summarise')).not.toBeNull());
    expect(card().textContent).toContain('The model took too long.');
  });
});

test('announcements show their types; those of the previous day are under its date', async () => {
  const yesterday = {
    ...REPORT,
    headline: 'Trading Halt',
    announcementTypes: ['Trading Halt'],
    time: '2026-11-18T22:30:00Z',
  };
  const stock = withReport();
  await show({
    ...stock,
    news: { ...stock.news, [THURSDAY]: aNewsDay({ announcements: { h: yesterday } }) },
  });
  const lines = within(article())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(lines).toEqual([
    '09:10Quarterly ReportPrice SensitivePeriodic Reports, Quarterly',
    '09:30Trading HaltPrice SensitivePrev Day',
  ]);
  expect(within(article()).getByText('Thursday 19 November 2026')).toBeTruthy();
});

describe('the source', () => {
  let receive: (message: ToWindow) => void;
  let stop: () => void;
  beforeEach(() => {
    stop = startLive((listener) => {
      receive = listener;
      return () => {};
    });
  });
  afterEach(() => stop());
  const change = (change: Partial<MarketMeta>) =>
    act(() => {
      const snapshot = { stocks: {}, meta: { ...aMeta(), ...change }, fx: { data: {}, lastUpdated: null } };
      receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
    });
  const ASX = { label: 'ASX', healthy: true, problem: null, lastUpdate: null };

  test('is named, with its problem or as off', async () => {
    await show(withReport());
    change({ announcements: { ...ASX, label: 'Simulated' } });
    expect(article().textContent).toContain('Announcements: Simulated');
    const lastUpdate = Date.parse('2026-11-19T23:05:00Z');
    change({ announcements: { ...ASX, healthy: false, problem: 'The ASX refuses requests.', lastUpdate } });
    expect(article().textContent).toContain('ASX. The ASX refuses requests. Last update 10:05.');
    change({ announcements: null });
    expect(article().textContent).toContain('Announcements are switched off on this server.');
    change({ announcements: undefined });
    expect(article().textContent).not.toContain('switched off');
  });
});

test('has no accessibility violations', async () => {
  await show(withReport({ summary: 'Output rose.', summary_of: 'r' }));
  expect(await results(document.body)).toEqual([]);
});
