import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CallsPage } from '../../../../src/subjects/calls/web/CallsPage.tsx';
import { RECENT_COLUMNS } from '../../../../src/subjects/calls/web/parts/recentColumns.tsx';
import { correct, recentRows, resetCalls } from '../../../../src/subjects/calls/web/state.ts';
import { startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { type AppInPage, listed, openAppInPage } from '../../../support/appInPage.ts';
import { findings } from '../../../support/axe.ts';
import { BOUGHT } from '../../../support/callsApp.ts';
import { formatRank } from '../../../../src/subjects/calls/rules/callFormat.ts';
import { rankSubmitters } from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { rankOrder } from '../../../../src/subjects/calls/web/parts/OtherRanks.tsx';
import { tallyOf } from '../../../support/rankBoards.ts';

describe('the page of calls', () => {
  let page: AppInPage;

  beforeEach(() => {
    page = openAppInPage();
    page.quote(listed('BHP', 40), listed('CBA', 170));
  });
  afterEach(() => {
    cleanup();
    page.close();
    resetCalls();
  });

  const submit = async (username: string) => {
    const user = await page.app.addUser(username);
    return { user, call: page.app.parts.calls.service.submit(user, BOUGHT) };
  };

  test('says that it failed, empties the lists, and loads again', async () => {
    await submit('ann');
    render(<CallsPage />);
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    expect(screen.getByText(/^Updated 11:00:00$/)).toBeTruthy();
    expect(screen.getByText('General information only, not financial advice')).toBeTruthy();
    page.fail(() => 'offline');
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByText('Failed to load calls');
    expect(recentRows.value).toHaveLength(0);
    // Emptied, but nobody knows that there are none.
    expect(screen.getAllByText('The calls could not be loaded.')).toHaveLength(2);
    expect(screen.queryByText('No calls recorded.')).toBeNull();
    expect(screen.queryByText('No calls yet.')).toBeNull();
    page.fail(null);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    expect(screen.queryByText('Failed to load calls')).toBeNull();
  });

  const cell = (id: string): string => {
    const [row] = recentRows.value;
    const column = RECENT_COLUMNS.find((one) => one.id === id);
    return (row && column?.text(row)) ?? '';
  };

  test('a gain in review has no figure and no direction for visitors, and is marked for administrators', async () => {
    const { user, call: posted } = await submit('ann');
    page.app.clock.advance(1000);
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 42, volume: 2100 });
    page.app.parts.calls.service.end(user, posted.publicId, { kind: 'close', pocketedValue: 5_000_000 });
    page.quote({ code: 'BHP', last: 42, volume: 2200 });
    const view = render(<CallsPage />);
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    const tone = (id: string) => {
      const column = RECENT_COLUMNS.find((one) => one.id === id);
      return recentRows.value.map((row) => column?.tone?.(row));
    };
    const taken = (id: string) => {
      const column = RECENT_COLUMNS.find((one) => one.id === id);
      return recentRows.value.map((row) => column?.taken?.[0]?.value(row));
    };
    expect([cell('pocketed'), cell('verified'), cell('best')]).toEqual(['In review', 'In review', '–']);
    expect([tone('pocketed'), tone('verified')]).toEqual([[null], [null]]);
    expect([taken('pocketed'), taken('verified')]).toEqual([['In review'], ['In review']]);
    const status = RECENT_COLUMNS.find(({ id }) => id === 'status');
    const pills = render(<>{recentRows.value.map((row) => status?.render?.(row, false))}</>);
    expect(pills.container.textContent).toBe('ClosedIn review');
    pills.unmount();
    expect(screen.getByText('No calls yet.')).toBeTruthy();
    view.unmount();
    const admin = await page.app.user('admin');
    startSession({ accessToken: await page.app.tokenOf(admin), accessLevel: 4 });
    render(<CallsPage />);
    await waitFor(() => expect(cell('pocketed')).toBe('+$5,000,000 (in review)'));
    expect(cell('verified')).toBe('+5.0% (in review)');
    expect([tone('pocketed'), tone('verified')]).toEqual([[null], [null]]);
  });

  test('a correction is shown with what was recorded, by whom and why', async () => {
    await submit('ann');
    page.quote({ code: 'BHP', last: 40, volume: 2000 });
    page.quote({ code: 'BHP', last: 45, volume: 2100 });
    const admin = await page.app.addUser('boss', { isAdmin: true });
    startSession({ accessToken: await page.app.tokenOf(admin), accessLevel: 4 });
    render(<CallsPage />);
    await waitFor(() => expect(recentRows.value).toHaveLength(1));
    act(() => correct(recentRows.value[0]?.call ?? null));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct BHP by ann' }));
    await userEvent.clear(dialog.getByLabelText('Target reached'));
    await userEvent.type(dialog.getByLabelText('Reason'), 'A bad print.');
    expect(await findings(screen.getByRole('dialog'))).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    const list = within(screen.getByRole('region', { name: 'Corrections' }));
    expect(list.getByText(/of ann: A bad print\.$/)).toBeTruthy();
    expect(list.getByText('Target reached: 45, 18 Nov 11:00 → none')).toBeTruthy();
    expect(list.getByText('boss, 18 Nov 11:00')).toBeTruthy();
    expect(recentRows.value[0]?.call.targetReached).toBeNull();
  });

  test('the page watches the symbols of its calls and no others; while a call is filled in, every symbol', async () => {
    await page.signIn('maggie');
    await submit('anna');
    await submit('bert');
    render(<CallsPage />);
    await waitFor(() => expect(page.watched()).toEqual({ all: false, codes: ['BHP'], scanners: [] }));
    await userEvent.click(await screen.findByRole('button', { name: 'Add Call' }));
    await screen.findByRole('combobox', { name: 'Symbol' });
    expect(page.watched()?.all).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(page.watched()?.all).toBe(false));
  });
});

describe('the table of submitters', () => {
  const DAY = 86_400_000;

  /** This many results of a day each, in turn. */
  const tally = (display: string, count: number, ...percents: number[]) =>
    tallyOf(
      display,
      Array.from({ length: count }, (_, index) => ({
        percent: percents[index % percents.length] ?? 0,
        market: null,
        symbol: `S${index}`,
        from: index * DAY,
        until: index * DAY + 1000,
      })),
    );

  test('sorted by rank the table stands as the server ranks, those without a rank by their mean', () => {
    const ranked = rankSubmitters([
      tally('Aloss', 30, -1.6),
      tally('Beginner', 3, 9),
      tally('Cnone', 0),
      tally('Dgain', 25, 20, -17),
      tally('Gprovisional', 5, 40),
      tally('Eproven', 60, 40),
      tally('Fbetter', 60, 50),
    ]);
    const shown = ranked.toReversed().sort((a, b) => rankOrder(a.metrics) - rankOrder(b.metrics));
    expect(shown.map(({ submitter }) => submitter.display)).toEqual([
      ...['Fbetter', 'Eproven', 'Gprovisional', 'Dgain', 'Aloss', 'Beginner', 'Cnone'],
    ]);
    expect(shown).toEqual(ranked);
    expect(shown.map(({ metrics }) => formatRank(metrics))).toEqual([
      ...['1', '2', '3 provisional', 'No rank', 'No rank'],
      ...['Too few to rank (3 of 10 days)', 'Too few to rank (0 of 10 days)'],
    ]);
  });
});
