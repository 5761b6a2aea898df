import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AverageId } from '../../../../src/market/bars/rules/averages.ts';
import type { ChartTimeframe } from '../../../../src/market/bars/rules/bars.ts';
import { useAverages } from '../../../../src/subjects/stock/web/shared/chart/StockChart.tsx';
import { ChartOptionsButton } from '../../../../src/subjects/stock/web/shared/chart/options/ChartOptionsButton.tsx';
import {
  chartOptions,
  followChartOptions,
  switchAverage,
} from '../../../../src/subjects/stock/web/shared/chart/options/chartOptions.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { tokenOf } from '../../../support/alertWindow.ts';
import { barsOf } from '../../../support/chartBars.ts';

const NONE = { averages: [], isWholeDay: false };
const signIn = (user: number) => act(() => startSession({ accessToken: tokenOf(user), accessLevel: 1 }));

/** Another one for each test: what was read of one stays read. */
let user = 100;
beforeEach(() => {
  user += 2;
  signIn(user);
});
afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

async function open(tf: ChartTimeframe) {
  render(<ChartOptionsButton tf={tf} taken={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Chart options' }));
  await screen.findByRole('menu');
}
const choices = () =>
  screen
    .getAllByRole('menuitemcheckbox')
    .map((one) => `${one.textContent} ${one.getAttribute('aria-checked')}`);

describe('the options of charts', () => {
  test('are what is drawn and how wide the day is, each switched where it stands', async () => {
    await open('1');
    const averages = ['SMA 20', 'SMA 50', 'SMA 200', 'EMA 20', 'EMA 50', 'EMA 200'];
    expect(choices()).toEqual([...averages, 'Whole day’s width'].map((name) => `${name} false`));
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'EMA 20' }));
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'SMA 50' }));
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: /^Whole day/ }));
    expect(chartOptions.value).toEqual({ averages: ['sma50', 'ema20'], isWholeDay: true });
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'EMA 20' }));
    expect(chartOptions.value.averages).toEqual(['sma50']);
  });

  test('go by the keyboard, which is back at the button once they are closed', async () => {
    render(<ChartOptionsButton tf="D" taken={null} />);
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('menu');
    await userEvent.keyboard('{ArrowDown}');
    await userEvent.keyboard('{Enter}');
    expect(chartOptions.value.averages).toHaveLength(1);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Chart options' }));
  });

  test('have the day’s width for minutes alone, and no averages for months', async () => {
    await open('5');
    expect(choices()).toHaveLength(6);
    cleanup();
    await open('M');
    expect(screen.queryAllByRole('menuitemcheckbox')).toEqual([]);
    expect(screen.getByText('Months have no moving averages.')).toBeDefined();
  });

  test('are each user’s own, and a guest’s', () => {
    switchAverage('sma20');
    signIn(user + 1);
    expect(chartOptions.value).toEqual(NONE);
    act(() => endSession());
    expect(chartOptions.value).toEqual(NONE);
    switchAverage('ema200');
    signIn(user);
    expect(chartOptions.value.averages).toEqual(['sma20']);
    act(() => endSession());
    expect(chartOptions.value.averages).toEqual(['ema200']);
    switchAverage('ema200');
  });

  test('are those of the user’s other windows, whatever those have kept', () => {
    const stop = followChartOptions();
    const key = `bellbird.chartOptions.${user}`;
    const keep = (value: unknown) => {
      localStorage.setItem(key, JSON.stringify(value));
      window.dispatchEvent(new StorageEvent('storage', { key }));
    };
    keep({ averages: ['ema50', 'wma9', 7, 'sma20', 'sma20'], isWholeDay: 'yes' });
    expect(chartOptions.value).toEqual({ averages: ['sma20', 'ema50'], isWholeDay: false });
    keep('nothing of the kind');
    expect(chartOptions.value).toEqual(NONE);
    stop();
  });
});

describe('the averages of a chart', () => {
  const shown = { bars: barsOf(0, 60_000, new Array(30).fill(2)), hasMore: false };
  const of = (tf: ChartTimeframe, ids: readonly AverageId[]) =>
    renderHook(() => useAverages(shown, tf, ids)).result.current;

  test('are the chosen ones, of bars of any length but months', () => {
    expect(of('1', ['sma20', 'ema200']).map(({ id, first }) => [id, first])).toEqual([
      ['sma20', 19],
      ['ema200', 30],
    ]);
    expect(of('M', ['sma20'])).toEqual([]);
    expect(of('D', [])).toEqual([]);
  });
});
