import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import { VisitorScanner } from '#web/shared/VisitorScanner.tsx';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { aStock } from '#support/aStock.ts';
import { liveByHand } from '#support/liveByHand.ts';

let live: ReturnType<typeof liveByHand>;
let stop: () => void;
beforeEach(() => {
  stop = startRouter();
  navigate('/register');
  live = liveByHand();
});
afterEach(() => {
  cleanup();
  live.stop();
  stop();
});
const at = (time: string) => ({ marketTime: Date.parse(`2026-11-19T${time}:00+11:00`), clockSpeed: 1 });
const rowNames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));
const up = (code: string, change_percent: number) =>
  aStock({ code, status: 'Open', open: 2, last: 2, change: 1, change_percent, value: 9000 });

test('shows visitors the largest rises first, and links only to the login', () => {
  live.show([up('LOW', 2), up('TOP', 9), up('MID', 5)], at('11:00'));
  render(<VisitorScanner />);
  expect(screen.getByRole('heading', { name: 'Top Movers' })).toBeTruthy();
  expect(screen.getByText('11:00 Sydney')).toBeTruthy();
  expect(rowNames().map((name) => name.slice(0, 3))).toEqual(['TOP', 'MID', 'LOW']);
  expect(links()).toEqual(['#/login']);
  cleanup();
  act(() => navigate('/calls'));
  render(<VisitorScanner />);
  expect(links()).toEqual(['#/register', '#/login']);
});

test('before the open shows gaps by match price, or when the market opens', () => {
  const gap = {
    status: 'Pre Open',
    match_price: 1.2,
    indicativeChangePercent: 20,
    match_value: 9e4,
  } as const;
  live.show([aStock({ code: 'GAP', ...gap })], at('09:30'));
  render(<VisitorScanner />);
  expect(screen.getByRole('heading', { name: 'Top Gaps' })).toBeTruthy();
  expect(screen.getByRole('row', { name: /GAP.*1\.200.*\+20\.0%.*\$90\.0 K/ })).toBeTruthy();
  cleanup();
  live.show([], at('09:30'));
  render(<VisitorScanner />);
  expect(screen.getByText('The market opens at 10:00 Sydney time.')).toBeTruthy();
});

test('waits for prices, and offers a retry if the stream is not available', () => {
  render(<VisitorScanner />);
  expect(screen.getByRole('status', { name: 'Loading prices…' })).toBeTruthy();
  live.connect('disconnected');
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(live.sent.at(-1)).toEqual({ type: 'retry' });
});
