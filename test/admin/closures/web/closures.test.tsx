import { describe, expect, test } from 'bun:test';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Closures } from '#admin/closures/web/Closures.tsx';
import { addDays, sydneyDate, weekdayOf } from '#lib/sydneyTime.ts';
import { formatDate } from '#texts/format.ts';
import '#ui/ConfirmDialog.tsx';
import { results } from '#support/axe.ts';
import { adminApi, rowsOf } from '#support/adminApi.ts';

const LIST = 'GET /api/admin/market-closures';
const ADD = 'POST /api/admin/market-closures';

/** A weekday at least this many days from now that the calendar does not list: a Tuesday outside December. */
function aTuesday(from: number): string {
  let date = addDays(sydneyDate(Date.now()), from);
  while (weekdayOf(date) !== 2 || /-(12|01|04)-/.test(date)) date = addDays(date, 1);
  return date;
}
const COMING = aTuesday(10);
const LATER = aTuesday(40);
const OVER = addDays(sydneyDate(Date.now()), -30);
const aDay = (change: object = {}) => ({
  date: COMING,
  kind: 'closed',
  closesAt: null,
  reason: 'Storm',
  bySetting: false,
  ...change,
});

const server = adminApi(() => ({ [LIST]: { body: { days: [] } } }));

async function show(days: readonly unknown[]): Promise<void> {
  server.answers[LIST] = { body: { days } };
  render(<Closures />);
  if (days.length > 0) await screen.findByRole('table', { name: 'Market closures' });
  else await screen.findByText('No special closures.');
}
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const put = (name: string, value: string) => fireEvent.change(box(name), { target: { value } });
const add = () => userEvent.click(screen.getByRole('button', { name: 'Add' }));
const rows = () => rowsOf('Market closures');

describe('the list', () => {
  test('shows coming days first, then past ones, which cannot be removed', async () => {
    await show([
      aDay({ date: OVER, reason: 'Mourning' }),
      aDay({ kind: 'early', closesAt: '14:10' }),
      aDay({ date: LATER, bySetting: true, kind: 'normal' }),
    ]);
    expect(rows()).toEqual([
      [formatDate(COMING), 'Trading ends at 14:10', 'Storm', 'Admin Panel', 'Remove'],
      [formatDate(LATER), 'Usual trading day', 'Storm', 'BELLBIRD_MARKET_CLOSURES', ''],
      [formatDate(OVER), 'Closed', 'Mourning', 'Admin Panel', 'Over'],
    ]);
    expect(await results(document.body)).toEqual([]);
  });
  test('removes a day after confirmation and keeps the focus in the section', async () => {
    await show([aDay()]);
    server.answers[`DELETE /api/admin/market-closures/${COMING}`] = { body: { days: [] } };
    await userEvent.click(screen.getByRole('button', { name: `Remove ${formatDate(COMING)}` }));
    const dialog = within(await screen.findByRole('dialog', { name: `Remove ${formatDate(COMING)}?` }));
    dialog.getByText('“Storm” (closed) will no longer apply. Then: a usual trading day.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(rows()).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: `Remove ${formatDate(COMING)}` }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await screen.findByText('No special closures.');
  });
});

describe('a new day', () => {
  test('is sent as typed, and the form is cleared', async () => {
    await show([]);
    server.answers[ADD] = { body: { days: [aDay({ kind: 'early', closesAt: '13:00' })] } };
    put('Date', COMING);
    await userEvent.selectOptions(box('Market'), 'Early close');
    put('Trading ends (Sydney)', '13:00');
    await userEvent.type(box('Reason'), 'Storm');
    await add();
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(server.calls.at(-1)).toMatchObject({
      body: { date: COMING, kind: 'early', closesAt: '13:00', reason: 'Storm' },
    });
    expect([box('Date').value, box('Reason').value]).toEqual(['', '']);
    expect(document.activeElement).toBe(box('Date'));
  });

  test('shows the server’s refusal at its field and keeps the input', async () => {
    await show([]);
    const error = 'That day’s session has begun (07:00). Enter an early close or a later date.';
    server.answers[ADD] = { status: 400, body: { error, field: 'date' } };
    put('Date', COMING);
    put('Reason', 'Storm');
    await add();
    await screen.findByText(error);
    expect([box('Date').value, box('Reason').value]).toEqual([COMING, 'Storm']);
  });
});
