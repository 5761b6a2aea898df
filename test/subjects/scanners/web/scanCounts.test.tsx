import { afterEach, describe, expect, jest, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  answers,
  click,
  closed,
  codes,
  editor,
  EMA,
  last,
  market,
  onStage,
  open,
  over,
  posted,
  priced,
  scanOf,
  scanSelect,
} from '../../../support/customScanner.tsx';

onStage();
afterEach(() => void jest.useRealTimers());

describe('what is counted', () => {
  const bar = () => screen.getByRole('toolbar', { name: 'Saved scans' }).textContent;
  const emaScan = () => scanOf(1, 'Over it', { lhs: last, op: '>', rhs: EMA });

  test('says what the filters leave, in the bar and in the editor', async () => {
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over two');
    expect(bar()).toContain('1 of 3 match');
    market(priced('AAA', 1), { ...priced('BBB', 4), value: 100 }, priced('CCC', 3));
    await waitFor(() => expect(bar()).toContain('2 match, 1 shown after filters'));
    await click('Edit');
    expect((await editor()).textContent).toContain('2 match, 1 shown after filters');
  });

  test('says so while values are still coming in', async () => {
    answers()['GET /api/indicators/scans'] = { body: { scans: [emaScan()] } };
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over it');
    market(priced('AAA', 1, 0.5), priced('BBB', 2), priced('CCC', 3));
    await waitFor(() => expect(bar()).toContain('1 so far'));
    market(priced('AAA', 1, 0.5), priced('BBB', 2, 1), priced('CCC', 3, 1));
    await waitFor(() => expect(bar()).toContain('3 of 3 match'));
  });

  test('a stock that never gets a value does not keep it open', async () => {
    answers()['GET /api/indicators/scans'] = { body: { scans: [emaScan()] } };
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over it');
    jest.useFakeTimers();
    market(priced('AAA', 1, 0.5), priced('BBB', 2), priced('CCC', 3));
    act(() => void jest.advanceTimersByTime(1000));
    expect(bar()).toContain('1 so far');
    act(() => void jest.advanceTimersByTime(4000));
    expect(bar()).toContain('1 of 3 match');
    jest.useRealTimers();
  });

  test('the scan that filters is told in words', async () => {
    const any = { op: 'OR' as const, conditions: [over(2), { ...over(1), op: 'crosses_above' as const }] };
    const grouped = { ...scanOf(1, 'Any', over(0)), logic: { op: 'AND', conditions: [over(0), any] } };
    answers()['GET /api/indicators/scans'] = { body: { scans: [grouped] } };
    await open();
    await userEvent.selectOptions(scanSelect(), 'Any');
    expect(screen.getByText('Last above 0 and any of (Last above 2 or Last crosses above 1)')).toBeDefined();
    expect(codes()).toEqual(['CCC']);
  });
});

describe('the focus', () => {
  const focus = () =>
    document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

  test('is on Discard when the editor asks, and back where it was afterwards', async () => {
    await open();
    await click('New scan');
    await editor();
    const name = screen.getByLabelText('Name');
    await userEvent.type(name, 'x');
    await userEvent.keyboard('{Escape}');
    expect(focus()).toBe('Discard');
    await click('Keep editing');
    expect(document.activeElement === name).toBe(true);
    await userEvent.keyboard('{Escape}{Enter}');
    await closed();
    await waitFor(() => expect(focus()).toBe('New scan'));
    expect(posted()).toEqual([]);
  });

  test('one Escape is enough for an untouched scan, and the edited one’s name has it first', async () => {
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over two');
    await click('Edit');
    await editor();
    await waitFor(() => expect(document.activeElement === screen.getByLabelText('Name')).toBe(true));
    await userEvent.keyboard('{Escape}');
    await closed();
    await waitFor(() => expect(focus()).toBe('Edit'));
  });

  test('is on the list of scans after one was deleted', async () => {
    await open();
    await userEvent.selectOptions(scanSelect(), 'Over two');
    await click('Delete');
    const question = await editor();
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    await closed();
    await waitFor(() => expect(document.activeElement === scanSelect()).toBe(true));
  });

  test('goes to the next chosen indicator after a removal, then to Add Indicator', async () => {
    answers()['GET /api/indicators/prefs'] = {
      body: { prefs: { refs: [EMA, { ...EMA, tf: 'D' }] } },
    };
    await open();
    await click('Indicators (2)');
    await editor();
    await waitFor(() => expect(focus()).toBe('Add Indicator'));
    await click('Remove EMA(20) 1h');
    expect(focus()).toBe('Remove EMA(20) 1D');
    await click('Remove EMA(20) 1D');
    expect(focus()).toBe('Add Indicator');
  });
});
