import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DocumentLink } from '#subjects/announcements/web/shared/newsParts.tsx';
import type { Stock } from '#market/rules/stock.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { layOutEachTest } from '#support/layout.ts';
import {
  PATIENT,
  SHOW_ALL,
  THREE_STOCKS,
  TODAY,
  codes,
  remember,
  row,
  screenOf,
} from '#support/scannerScreen.tsx';
import { preOpening } from '#support/preOpening.ts';
import { aNewsDay } from '#support/aNewsDay.ts';

layOutEachTest();

function newsStock(code: string, headline: string, isPriceSensitive: boolean): Stock {
  const item = { headline, url: null, announcementTypes: [], time: '2026-11-19T23:05:00Z' };
  const announcements = { one: { ...item, isPriceSensitive } };
  return aStock({ code, news: { [TODAY]: aNewsDay({ headline, announcements }) } });
}

describe('the news mark', () => {
  const stocks = [newsStock('SEN', 'Trading <b>Halt</b>', true), newsStock('USU', 'Annual Report', false)];
  const markOf = (code: string, name: string) => within(row(code)).getByRole('button', { name });

  test('shows the headline as a tooltip for pointer, focus and tap, until Escape', async () => {
    render(screenOf('intraDaySmall', stocks));
    const mark = markOf('SEN', 'Price-sensitive news today');
    const tip = () => within(mark).queryByRole('tooltip')?.textContent ?? null;
    expect(mark.getAttribute('aria-description')).toBe('Trading <b>Halt</b>');
    expect(tip()).toBeNull();
    await userEvent.hover(mark);
    expect(tip()).toBe('Trading <b>Halt</b>');
    await userEvent.unhover(mark);
    expect(tip()).toBeNull();
    act(() => mark.focus());
    expect(tip()).toBe('Trading <b>Halt</b>');
    await userEvent.keyboard('{Escape}');
    expect(tip()).toBeNull();
    expect(document.activeElement).toBe(mark);
    await userEvent.pointer({ keys: '[TouchA]', target: mark });
    expect(tip()).toBe('Trading <b>Halt</b>');
    await userEvent.pointer({ keys: '[TouchA]', target: screen.getByRole('toolbar') });
    expect(tip()).toBeNull();
  });

  test('shows that nothing is published yet if there is only a count', () => {
    render(screenOf('intraDaySmall', [aStock({ code: 'CNT', sensitiveAnnouncements: 1 })]));
    expect(markOf('CNT', 'Price-sensitive news today').getAttribute('aria-description')).toBe(
      'Price sensitive activity detected, but no ASX announcement was published yet.',
    );
  });
});

test.each([
  ['https://example.com/one.pdf', ['noopener noreferrer']],
  ['javascript:alert(1)', []],
])('a headline links to its document only at a web address: %s', (url, rels) => {
  render(<DocumentLink item={{ headline: 'Report', url }} className="document" />);
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('rel'))).toEqual(rels);
  expect(screen.getByText('Report')).toBeDefined();
});

describe('the opening', () => {
  const preOpen = preOpening({ capturedAt: '2026-11-19T22:59:45.530Z' });
  const captured = aStock({ code: 'OPN', last: 0.63, preOpen });
  const clockAt = (time: string) => ({ clock: () => Date.parse(`2026-11-20T${time}+11:00`) });
  const livePane = () => screen.getByRole('region', { name: 'Live Pre-Open' });
  const found = (text: string) => screen.findByText(text, undefined, PATIENT);

  test('the empty live pane becomes one line with the opening time and a link', async () => {
    render(screenOf('preMarket', [captured], clockAt('10:20:00')));
    await found('The market opened at 09:59:45');
    const pane = within(livePane());
    await waitFor(() => expect(pane.queryByRole('grid') === null).toBe(true), PATIENT);
    expect(pane.getByText('No results yet')).toBeDefined();
    expect(pane.getByText('Friday 20 November 2026')).toBeDefined();
    expect(pane.getByRole('link', { name: 'Go to Intraday' }).getAttribute('href')).toBe('#/intra-day-small');
    expect(codes('Pre-Open Snapshot')).toEqual(['OPN']);
  });

  test('before it the heading counts down without rendering rows', async () => {
    let now = Date.parse('2026-11-20T09:55:33+11:00');
    render(screenOf('preMarket', [aPreOpenStock({ code: 'PRE' })], { clock: () => now }));
    await found('Opens in 4:12');
    expect(screen.getByRole('timer').textContent).toBe('Opens in 4:12');
    const line = row('PRE');
    now += 1000;
    await found('Opens in 4:11');
    expect(row('PRE')).toBe(line);
    expect(codes('Live Pre-Open')).toEqual(['PRE']);
  });
});

describe('a screen reader announcement of a changing table', () => {
  beforeEach(() => remember('intraDaySmall', SHOW_ALL));
  afterEach(() => void jest.useRealTimers());

  const text = (): string => screen.getByRole('status').textContent ?? '';

  test('has the number of stocks and the first ones, immediately and a minute later', () => {
    jest.useFakeTimers();
    const view = render(screenOf('intraDaySmall', [], { meta: null, connection: 'connecting' }));
    expect(text()).toBe('');
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS));
    const first = 'Top Movers under $1: 3 stocks. First by Pips: BBB +20, CCC +10, AAA +2.';
    expect(text()).toBe(first);
    const next = [...THREE_STOCKS, aStock({ code: 'DDD', last: 0.9, change: 0.4, change_percent: 80 })];
    view.rerender(screenOf('intraDaySmall', next));
    act(() => void jest.advanceTimersByTime(59_000));
    expect(text()).toBe(first);
    act(() => void jest.advanceTimersByTime(1000));
    expect(text()).toStartWith('Top Movers under $1: 4 stocks. First by Pips: DDD +');
  });

  test('reports an empty table, and a filled one again, as soon as it is shown', async () => {
    const view = render(screenOf('intraDaySmall', THREE_STOCKS));
    view.rerender(screenOf('intraDaySmall', []));
    await waitFor(() => expect(text()).toBe('Top Movers under $1: nothing to show.'), { timeout: 5000 });
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS));
    await waitFor(() => expect(text()).toContain('3 stocks'), { timeout: 5000 });
  });
});
