import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultEntries } from '../../../../src/subjects/scanners/rules/columnEntry.ts';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { aPreOpenStock, aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import {
  codes,
  grid,
  PATIENT,
  remember,
  row,
  screenOf,
  SHOW_ALL,
  TODAY,
} from '../../../support/scannerScreen.tsx';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
});
afterEach(() => takeLayout());

const button = (name: string) => screen.getByRole('button', { name });
const isPressed = (name: string) => button(name).getAttribute('aria-pressed') === 'true';

function newsStock(code: string, headline: string, isPriceSensitive: boolean): Stock {
  const item = { headline, url: null, announcementTypes: [], time: '2026-11-19T23:05:00Z' };
  return aStock({
    code,
    news: {
      [TODAY]: {
        headline,
        summary: null,
        summary_generated_at: null,
        alerted: false,
        announcements: { one: { ...item, isPriceSensitive } },
      },
    },
  });
}

describe('the news mark', () => {
  const stocks = [newsStock('SEN', 'Trading <b>Halt</b>', true), newsStock('USU', 'Annual Report', false)];
  const markOf = (code: string, name: string) => within(row(code)).getByRole('button', { name });

  test('of price-sensitive news has its own name and its own shape', () => {
    render(screenOf('intraDaySmall', stocks));
    const shapeOf = (mark: HTMLElement) => mark.querySelector('svg')?.innerHTML;
    const sensitive = markOf('SEN', 'Price-sensitive news today');
    expect(shapeOf(sensitive)).not.toBe(shapeOf(markOf('USU', 'News today')));
  });

  test('has the headline as its tooltip, under the pointer, with the focus and by a tap; Escape closes it', async () => {
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
    await userEvent.pointer({ keys: '[TouchA]', target: screen.getByRole('slider') });
    expect(tip()).toBeNull();
  });

  test('has the headline as text behind it, which a screen reader is told by the mark alone', () => {
    render(screenOf('intraDaySmall', stocks));
    const headline = within(row('SEN')).getByText('Trading <b>Halt</b>');
    expect(headline.getAttribute('aria-hidden')).toBe('true');
    expect(headline.children.length).toBe(0);
    expect(within(row('USU')).getByText('Annual Report')).toBeDefined();
  });

  test('says that nothing is published yet where only the count tells of it', () => {
    render(screenOf('intraDaySmall', [aStock({ code: 'CNT', sensitiveAnnouncements: 1 })]));
    expect(markOf('CNT', 'Price-sensitive news today').getAttribute('aria-description')).toBe(
      'Price sensitive activity detected, but no ASX announcement was published yet.',
    );
  });
});

describe('further filters', () => {
  const fund = aStock({ code: 'FND', securityType: 'fund' });
  const stocks = [newsStock('SEN', 'Halt', true), newsStock('USU', 'Annual Report', false), fund];
  const shown = () => codes('Top Movers under $1').toSorted();

  test('Price sensitive only and News Only take turns, and are remembered', async () => {
    const first = render(screenOf('intraDaySmall', stocks));
    await userEvent.click(button('News Only'));
    expect(shown()).toEqual(['SEN', 'USU']);
    await userEvent.click(button('Price sensitive only'));
    expect(shown()).toEqual(['SEN']);
    expect(isPressed('News Only')).toBe(false);
    first.unmount();
    render(screenOf('intraDaySmall', stocks));
    expect(isPressed('Price sensitive only')).toBe(true);
    await userEvent.click(button('Price sensitive only'));
    expect(shown()).toEqual(['FND', 'SEN', 'USU']);
  });

  test('All, Shares and Funds: All at first, remembered for each scanner', async () => {
    const first = render(screenOf('intraDaySmall', stocks));
    expect(['All', 'Shares', 'Funds'].map(isPressed)).toEqual([true, false, false]);
    await userEvent.click(button('Shares'));
    expect(shown()).toEqual(['SEN', 'USU']);
    await userEvent.click(button('Funds'));
    expect(shown()).toEqual(['FND']);
    first.unmount();
    const second = render(screenOf('intraDaySmall', stocks));
    expect(shown()).toEqual(['FND']);
    second.unmount();
    render(screenOf('intraDayMidLarge', []));
    expect(isPressed('All')).toBe(true);
  });

  test('what an older version stored, or nobody, still opens the scanner', () => {
    const odd = { newsOnly: true, minValue: 0, securities: 'bonds', sensitiveOnly: 'maybe' };
    remember('intraDaySmall', odd);
    const first = render(screenOf('intraDaySmall', stocks));
    expect([isPressed('News Only'), isPressed('Price sensitive only'), isPressed('All')]).toEqual([
      true,
      false,
      true,
    ]);
    first.unmount();
    remember('intraDaySmall', { newsOnly: false, minValue: 0 });
    render(screenOf('intraDaySmall', stocks));
    expect(shown()).toEqual(['FND', 'SEN', 'USU']);
  });
});

describe('the opening', () => {
  const captured = aStock({
    code: 'OPN',
    last: 0.63,
    preOpen: {
      snapshot: {
        capturedAt: '2026-11-19T22:59:45.530Z',
        indicativeChangePercent: 7,
        match_price: 0.6,
        match_vol: 100_000,
        match_value: 60_000,
        buy_surplus: 0,
      },
    },
  });
  const clockAt = (time: string) => ({ clock: () => Date.parse(`2026-11-20T${time}+11:00`) });
  const livePane = () => screen.getByRole('region', { name: 'Live Pre-Open' });
  const found = (text: string) => screen.findByText(text, undefined, PATIENT);

  test('the empty live pane becomes one line that says when the market opened, and leads on', async () => {
    render(screenOf('preMarket', [captured], clockAt('10:20:00')));
    await found('The market opened at 09:59:45');
    const pane = within(livePane());
    await waitFor(() => expect(pane.queryByRole('grid') === null).toBe(true), PATIENT);
    expect(pane.getByText('No results yet')).toBeDefined();
    expect(pane.getByText('Friday 20 November 2026')).toBeDefined();
    expect(pane.getByRole('link', { name: 'Go to Intraday' }).getAttribute('href')).toBe('#/intra-day-small');
    expect(codes('Pre-Open Snapshot')).toEqual(['OPN']);
  });

  test('the keys then move in the snapshot', async () => {
    render(screenOf('preMarket', [captured], clockAt('10:20:00')));
    await found('The market opened at 09:59:45');
    await waitFor(
      () => expect(screen.queryByRole('grid', { name: 'Live Pre-Open' }) === null).toBe(true),
      PATIENT,
    );
    await userEvent.keyboard('j');
    expect(document.activeElement).toBe(row('OPN'));
  });

  test('it leads to the scanner of the same prices, and in a popup nowhere', async () => {
    remember('preMarket', { ...SHOW_ALL, priceGroup: 'oneOrOver' });
    const view = render(screenOf('preMarket', [], clockAt('10:20:00')));
    await found('The market has opened');
    expect(screen.getByRole('link', { name: 'Go to Intraday' }).getAttribute('href')).toBe(
      '#/intra-day-mid-large',
    );
    view.rerender(screenOf('preMarket', [], { ...clockAt('10:20:00'), onPopOut: null }));
    expect(screen.queryByRole('link', { name: 'Go to Intraday' })).toBeNull();
  });

  test('without a snapshot to show, the live table keeps its place and its empty text', async () => {
    render(screenOf('preMarket', [], clockAt('10:20:00')));
    await found('The market has opened');
    expect(
      within(grid('Live Pre-Open').parentElement ?? document.body).getByText('No results yet'),
    ).toBeDefined();
  });

  test('before it the heading counts down, and renders no row with it', async () => {
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

  test('before the pre-open the line counts down to that', async () => {
    render(screenOf('preMarket', [captured], clockAt('06:48:00')));
    await found('The pre-open begins in 12 min');
    await waitFor(() => expect(within(livePane()).queryByRole('grid') === null).toBe(true), PATIENT);
    expect(screen.queryByRole('link', { name: 'Go to Intraday' })).toBeNull();
  });

  test('the snapshot can show the last price, its change, and what came of the gap', async () => {
    const layout = defaultEntries('preMarket').map((entry) => ({ ...entry, enabled: true }));
    render(screenOf('preMarket', [captured], { ...clockAt('10:20:00'), layout }));
    await found('The market opened at 09:59:45');
    const headings = screen.getAllByRole('columnheader').map((heading) => heading.textContent);
    expect(headings.slice(-8)).toEqual([
      'Last',
      'Change',
      'Since Match',
      'Day',
      'Sector',
      '52w High',
      '52w Low',
      'Ind. Close',
    ]);
    const texts = [...row('OPN').children].map((cell) => cell.textContent);
    expect(texts.slice(-8)).toEqual(['0.630', '+10.0%', '+5.0%', '', '–', '–', '–', '–']);
  });
});
