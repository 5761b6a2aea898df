import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { codes, remember, screenOf, SHOW_ALL, THREE_STOCKS } from '../../../support/scannerScreen.tsx';

let takeLayout: () => void;
beforeEach(() => {
  takeLayout = giveLayout();
  remember('intraDaySmall', SHOW_ALL);
});
afterEach(() => {
  jest.useRealTimers();
  takeLayout();
});

const told = (): string => screen.getByRole('status').textContent ?? '';

describe('what a screen reader is told of a moving table', () => {
  test('how many stocks there are and which come first, at once and then a minute later', () => {
    jest.useFakeTimers();
    const view = render(screenOf('intraDaySmall', [], { meta: null, connection: 'connecting' }));
    expect(told()).toBe('');
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS));
    const first = 'Top Movers under $1: 3 stocks. First by Pips: BBB +20, CCC +10, AAA +2.';
    expect(told()).toBe(first);
    const next = [...THREE_STOCKS, aStock({ code: 'DDD', last: 0.9, change: 0.4, change_percent: 80 })];
    view.rerender(screenOf('intraDaySmall', next));
    act(() => void jest.advanceTimersByTime(59_000));
    expect(told()).toBe(first);
    act(() => void jest.advanceTimersByTime(1000));
    expect(told()).toStartWith('Top Movers under $1: 4 stocks. First by Pips: DDD +');
  });

  test('the count and the first rows that are on the screen, while the order is held and a row has left', () => {
    jest.useFakeTimers();
    const view = render(screenOf('intraDaySmall', THREE_STOCKS));
    act(() => void jest.advanceTimersByTime(58_000));
    fireEvent.keyDown(document.body, { key: 'ArrowDown' });
    const moved = aStock({ code: 'AAA', last: 0.9, change: 0.4, change_percent: 80 });
    view.rerender(screenOf('intraDaySmall', [moved, ...THREE_STOCKS.slice(1, 2)]));
    act(() => void jest.advanceTimersByTime(2000));
    expect(codes('Top Movers under $1')).toEqual(['BBB', 'CCC', 'AAA']);
    expect(screen.getByText('3 stocks')).toBeDefined();
    expect(told()).toBe('Top Movers under $1: 3 stocks. First by Pips: BBB +20, CCC +10, AAA +80.');
  });

  test('that there is nothing, when there is nothing', () => {
    render(screenOf('intraDaySmall', []));
    expect(told()).toBe('Top Movers under $1: nothing to show.');
  });

  test('what was chosen at once, not up to a minute later', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(told()).toContain('First by Pips: BBB');
    await userEvent.click(screen.getByRole('button', { name: /^Name/ }));
    await waitFor(() => expect(told()).toBe('Top Movers under $1: 3 stocks. First by Name: AAA, BBB, CCC.'));
  });

  test('that the table became empty, and that it is no longer, as soon as it shows', async () => {
    const view = render(screenOf('intraDaySmall', THREE_STOCKS));
    view.rerender(screenOf('intraDaySmall', []));
    await waitFor(() => expect(told()).toBe('Top Movers under $1: nothing to show.'), { timeout: 5000 });
    view.rerender(screenOf('intraDaySmall', THREE_STOCKS));
    await waitFor(() => expect(told()).toContain('3 stocks'), { timeout: 5000 });
  });

  test('one stock is one stock, and a name is not said twice', () => {
    localStorage.setItem(
      'bellbird.scanner.intraDaySmall',
      JSON.stringify({ sort: { id: 'name', desc: false }, filters: SHOW_ALL }),
    );
    render(screenOf('intraDaySmall', THREE_STOCKS.slice(0, 1)));
    expect(told()).toBe('Top Movers under $1: 1 stock. First by Name: AAA.');
  });

  test('of one table only, however many there are', () => {
    const snapshot = {
      capturedAt: '2026-11-19T22:59:00.000Z',
      indicativeChangePercent: 7,
      match_price: 0.6,
      match_vol: 100_000,
      match_value: 60_000,
      buy_surplus: 0,
    };
    render(screenOf('preMarket', [aStock({ code: 'OPN', preOpen: { snapshot } })]));
    expect(screen.getAllByRole('grid')).toHaveLength(2);
    expect(screen.getAllByRole('status')).toHaveLength(1);
  });
});
