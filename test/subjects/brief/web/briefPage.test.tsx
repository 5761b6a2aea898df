import { expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fromSydney } from '#lib/sydneyTime.ts';
import { BriefPage } from '#subjects/brief/web/BriefPage.tsx';
import { OvernightLine } from '#subjects/marketOverview/web/shared/OvernightLine.tsx';
import { paneStock } from '#web/windows/stockPane.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';

const DAY = '2026-11-18';
const at = (hour: number, minute: number, date = DAY): number => fromSydney(date, hour, minute);
const stock = (code: string, gap: number | null) => ({ code, name: `${code} Limited`, gap, value: 50_000 });

const BRIEF = {
  state: 'ready',
  date: DAY,
  at: at(9, 50),
  next: at(8, 45, '2026-11-19'),
  overnight: [
    { id: 'aud', last: 0.652, change: -0.1, time: at(9, 50) },
    { id: 'spx', last: null, change: 0.42, time: at(9, 50) },
  ],
  gaps: { up: 12, down: 7, unchanged: 1, stocks: 30, value: 2_500_000 },
  announcements: Array.from({ length: 10 }, (_, index) => ({
    ...stock(`A${index}`, 10 - index),
    headline: 'Trading Update',
    time: index === 0 ? at(17, 5, '2026-11-17') : at(8, 31),
    more: index === 1 ? 2 : 0,
  })),
  announcementCount: 14,
  flips: [],
  halts: [{ ...stock('HLT', null), kind: 'halted', time: null }],
  lists: [{ ...stock('BHP', -2.5), news: ['Quarterly Report', 'Surplus turned to sellers'] }],
  watched: 3,
  events: [{ id: '1', time: at(11, 30), currency: 'AUD', name: 'CPI', figures: 'consensus 2.5%' }],
};

const server = pageApi(() => ({ 'GET /api/brief': { body: BRIEF } }), 1);

function answerWith(brief: object): void {
  server.answers['GET /api/brief'] = { body: { ...BRIEF, ...brief } };
}

test('the brief shows what there is, most important first, and each line opens its stock', async () => {
  render(<BriefPage />);
  await screen.findByText('Wednesday 18 November 2026');
  expect(screen.getByRole('list', { name: 'Other markets' }).textContent).toBe(
    'S&P 500 +0.42%AUD 0.6520 −0.10%',
  );
  expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
    'My lists',
    'Price-sensitive announcements',
    'Halts',
    'Events of HIGH impact',
  ]);
  const lines = () => screen.getAllByRole('button', { name: /Trading Update/ }).map((one) => one.textContent);
  expect(lines()).toHaveLength(8);
  expect(lines().slice(0, 2)).toEqual([
    'A017 Nov 17:05 Trading Update+10.00%',
    'A108:31 Trading Update and 2 more+9.00%',
  ]);
  await userEvent.click(screen.getByRole('button', { name: /^Show more/ }));
  expect(lines()).toHaveLength(10);
  expect(screen.getByRole('button', { name: /^HLT/ }).textContent).toBe('HLTHalted');
  await userEvent.click(screen.getByRole('button', { name: /^BHP/ }));
  expect(paneStock.value).toBe('BHP');
  expect(await results(document.body)).toEqual([]);
});

test('a brief without news says so for the lists, and has no empty sections or zeros', async () => {
  answerWith({ overnight: [], gaps: null, announcements: [], halts: [], events: [], lists: [] });
  render(<BriefPage />);
  await screen.findByText('No news since the last close');
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1);
  expect(document.body.textContent).not.toMatch(/\b0\b/);
});

test('a page without a brief says when the next one begins', async () => {
  answerWith({ state: 'waiting', next: at(8, 45, '2026-11-23') });
  render(<BriefPage />);
  await screen.findByText('The next brief begins on Monday 23 November 2026 at 08:45 Sydney time.');
  expect(screen.queryByText('My lists')).toBeNull();
});

test('a brief that failed to load can be retried, and an old one names its time', async () => {
  server.answers['GET /api/brief'] = { status: 500, body: {} };
  render(<BriefPage />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to load the morning brief');
  server.answers['GET /api/brief'] = { body: BRIEF };
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  await screen.findByText('Wednesday 18 November 2026');
});

test('the line of the market page is absent without figures', async () => {
  server.answers['GET /api/data/overnight'] = { body: { figures: [] } };
  const { container } = render(<OvernightLine />);
  await waitFor(() => expect(server.calls.length).toBeGreaterThan(0));
  expect(container.textContent).toBe('');
});
