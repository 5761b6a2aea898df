import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { VisitorScanner } from '#web/shared/VisitorScanner.tsx';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { liveByHand } from '#support/liveByHand.ts';

let live: ReturnType<typeof liveByHand>;
let stop: () => void;
beforeEach(() => {
  stop = startRouter();
  navigate('/calls');
  live = liveByHand();
});
afterEach(() => {
  live.stop();
  stop();
});
const at = (time: string) => ({ marketTime: Date.parse(`2026-11-19T${time}:00+11:00`), clockSpeed: 1 });
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

test('shows visitors the largest rises first, with links only to registration and login', () => {
  const stocks = [2, 9, 5].map((change_percent) => aStock({ code: `UP${change_percent}`, change_percent }));
  live.show(stocks, at('11:00'));
  render(<VisitorScanner />);
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent.slice(0, 3));
  expect([names, screen.getByText('11:00 Sydney').tagName]).toEqual([['UP9', 'UP5', 'UP2'], 'SPAN']);
  expect(links()).toEqual(['#/register', '#/login']);
  act(() => navigate('/register'));
  expect(links()).toEqual(['#/login']);
});

test('before the open shows gaps by match price, or when the market opens', () => {
  live.show([], at('09:30'));
  const { unmount } = render(<VisitorScanner />);
  screen.getByText('The market opens at 10:00 Sydney time.');
  unmount();
  live.show([aPreOpenStock({ code: 'GAP', match_price: 1.2, indicativeChangePercent: 20 })], at('09:30'));
  render(<VisitorScanner />);
  screen.getByRole('row', { name: /GAP.*1\.200.*\+20\.0%/ });
});

test('waits for prices, and offers a retry if the stream is not available', () => {
  render(<VisitorScanner />);
  screen.getByRole('status', { name: 'Loading prices…' });
  live.connect('disconnected');
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(live.sent.at(-1)).toEqual({ type: 'retry' });
});
