import { afterEach, expect, test } from 'bun:test';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fromSydney } from '#lib/sydneyTime.ts';
import { defaultFilters } from '#market/scanners/rules/filters.ts';
import { HistoryPanel } from '#subjects/scanners/web/history/HistoryPanel.tsx';
import { fakeApi } from '#support/fakeApi.ts';

const TODAY = '2026-11-20';
const BEFORE = '2026-11-19';
const at = (date: string, hour: number, minute: number): number => fromSydney(date, hour, minute);

let server: ReturnType<typeof fakeApi> | null = null;
afterEach(() => server?.restore());

function open(answers: Parameters<typeof fakeApi>[0]) {
  // A copy, because tests change the answers.
  server = fakeApi({ ...answers });
  const past: boolean[] = [];
  render(
    <HistoryPanel
      exported={{ current: new Map() }}
      scanner="intraDaySmall"
      filters={{ ...defaultFilters(false), minValue: 50_000 }}
      isNarrow={false}
      quoteLink="none"
      today={TODAY}
      onPast={(isPast) => past.push(isPast)}
    />,
  );
  return past;
}

const rows = { codes: ['ABC', 'XYZ'], names: ['Abacus', 'Xylo'], funds: [false, false] };
const days = [{ date: BEFORE, spans: [{ from: at(BEFORE, 10, 0), to: at(BEFORE, 16, 0) }] }];
const ANSWERS = {
  'GET /api/data/tape/days': { body: { days } },
  'GET /api/data/tape/changes': {
    body: {
      times: [at(BEFORE, 10, 5), 'nonsense'],
      entered: [true, false],
      rows: { ...rows, values: { last: [0.5, '0.6'], value: [90_000, 60_000] } },
    },
  },
  'GET /api/data/tape': {
    body: { time: at(BEFORE, 10, 7), rows: { ...rows, values: { last: [0.5, 0.6], value: [90_000, 6000] } } },
  },
};

test('a minute of yesterday replaces the live rows, under the user’s own filters', async () => {
  const past = open(ANSWERS);
  const line = await screen.findByRole('slider', { name: /Thursday 19 November/ });
  expect(screen.getByRole('slider', { name: /Today, Friday 20 November/ })).toBeTruthy();
  fireEvent.change(line, { target: { value: '187' } });
  expect(await screen.findByText(/on Thursday 19 November/)).toBeTruthy();
  // XYZ traded less than the user's minimum.
  expect(await screen.findByText('1 stock')).toBeTruthy();
  expect(past.at(-1)).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Back to now' }));
  expect(past.at(-1)).toBe(false);
  expect(screen.queryByText(/on Thursday 19 November/)).toBeNull();
});

test('an earlier day is shown from its last minute, then at the chosen time of day', async () => {
  const dates = ['2026-11-19', '2026-11-18', '2026-11-17'];
  const recorded = dates.map((date) => ({ date, spans: [{ from: at(date, 10, 0), to: at(date, 16, 0) }] }));
  open({ ...ANSWERS, 'GET /api/data/tape/days': { body: { days: recorded } } });
  await userEvent.selectOptions(await screen.findByLabelText('Earlier day'), '2026-11-18');
  expect(screen.getByText(/^Scanner at/).textContent).toContain('16:00 on Wednesday 18 November');
  await userEvent.click(screen.getByRole('button', { name: 'A minute earlier' }));
  await userEvent.selectOptions(screen.getByLabelText('Earlier day'), '2026-11-17');
  expect(screen.getByText(/^Scanner at/).textContent).toContain('15:59 on Tuesday 17 November');
});
