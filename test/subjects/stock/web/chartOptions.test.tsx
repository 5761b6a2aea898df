import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { ChartOptionsButton } from '#subjects/stock/web/shared/chart/StockChart.tsx';
import {
  chartOptions,
  followChartOptions,
  switchAverage,
} from '#subjects/stock/web/shared/chart/chartOptions.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { tokenOf } from '#support/alertWindow.ts';

const NONE = { averages: [], studies: [], hasWholeDay: true };
const signIn = (user: number) => act(() => startSession({ accessToken: tokenOf(user), accessLevel: 1 }));

/** A new user for each test, because options are read only once per user. */
let user = 100;
beforeEach(() => {
  user += 2;
  signIn(user);
});
afterEach(() => endSession());

async function open(tf: ChartTimeframe) {
  render(<ChartOptionsButton tf={tf} exported={null} onAddLevel={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Chart options' }));
  await screen.findByRole('menu');
}
const choices = () =>
  screen
    .getAllByRole('menuitemcheckbox')
    .map((one) => `${one.textContent} ${one.getAttribute('aria-checked')}`);

test('the options of charts are the drawn averages and the day’s width, each with its own switch', async () => {
  await open('1');
  const averages = ['SMA 20', 'SMA 50', 'SMA 200', 'EMA 20', 'EMA 50', 'EMA 200'];
  const off = [...averages, 'RSI 14', 'MACD 12 26 9'].map((name) => `${name} false`);
  expect(choices()).toEqual([...off, '✓Whole day’s width true']);
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'RSI 14' }));
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'EMA 20' }));
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'SMA 50' }));
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: /^Whole day/ }));
  expect(chartOptions.value).toEqual({
    averages: ['sma50', 'ema20'],
    studies: ['rsi'],
    hasWholeDay: false,
  });
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'EMA 20' }));
  expect(chartOptions.value.averages).toEqual(['sma50']);
});

test('the options of charts have the day’s width only for minutes, and no averages for months', async () => {
  await open('5');
  expect(choices()).toHaveLength(8);
  cleanup();
  await open('M');
  expect(choices()).toHaveLength(2);
  expect(screen.getByText('Months have no moving averages.')).toBeDefined();
});

test('the options of charts belong to each user, and to a guest', () => {
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

test('the options of charts follow the user’s other windows, for any stored values', () => {
  const stop = followChartOptions();
  const key = `bellbird.chartOptions.${user}`;
  const keep = (value: unknown) => {
    localStorage.setItem(key, JSON.stringify(value));
    window.dispatchEvent(new StorageEvent('storage', { key }));
  };
  keep({ averages: ['ema50', 'wma9', 7, 'sma20', 'sma20'], studies: ['macd', 1], hasWholeDay: 'yes' });
  expect(chartOptions.value).toEqual({
    averages: ['sma20', 'ema50'],
    studies: ['macd'],
    hasWholeDay: true,
  });
  keep('nothing of the kind');
  expect(chartOptions.value).toEqual(NONE);
  stop();
});
