import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { WatchedScan } from '../../../../src/subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { ScanAlertView } from '../../../../src/subjects/alerts/rules/scanAlerts/scanTrigger.ts';
import { scanAlert } from '../../../../src/subjects/alerts/answers/scanAlert.ts';
import { ScanAlertDialog } from '../../../../src/subjects/alerts/web/shared/scanAlerts/ScanAlertDialog.tsx';
import { scanAlertTurns } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { tokenOf } from '../../../support/alertWindow.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { aChat } from '../../../support/linkedChats.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';

const SCANNER: WatchedScan = { type: 'scanner', key: 'intraDaySmall' };
const OVER_FORTY = {
  ...{ id: 1, name: 'Over forty', logic: allOf(is(LAST, '>', 40)) },
};
const SAVED = { id: 3, scan: SCANNER, version: 4, active: true };

let server: ReturnType<typeof fakeApi>;
let closed: number;

beforeEach(() => {
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  closed = 0;
  server = fakeApi({
    'GET /api/settings/linked-chats': { body: [] },
    'GET /api/indicators/scans': { body: { scans: [OVER_FORTY] } },
    'POST /api/scan-alerts/rehearse': { body: { fired: 40, stocks: 9, days: 20, busiestDay: 5 } },
    'POST /api/scan-alerts': { body: SAVED },
    'PATCH /api/scan-alerts/3': { body: SAVED },
  });
});
afterEach(() => {
  cleanup();
  server.restore();
  endSession();
});

const alertOf = (change: object): ScanAlertView => {
  const alert = scanAlert.read({ ...SAVED, ...change });
  if (alert === null) throw new Error('That is no alert.');
  return alert;
};
async function open(alert: ScanAlertView | null = null, scan = SCANNER) {
  render(<ScanAlertDialog alert={alert} scan={scan} onClose={() => (closed += 1)} />);
  return within(await screen.findByRole('dialog'));
}
const button = (name: string) => screen.getByRole('button', { name });
const sent = () =>
  server.calls.filter(({ method, path }) => method !== 'GET' && path !== '/api/scan-alerts/rehearse');
const scans = () =>
  [...screen.getByLabelText<HTMLSelectElement>('Scan').options].map(({ textContent }) => textContent);

describe('the dialog of an alert on a scan', () => {
  test('begins with what is usual, offers scanners and saved scans, and breaks no rule of accessibility', async () => {
    const dialog = await open();
    expect(dialog.getByRole('heading', { name: 'New alert on a scan' })).toBeTruthy();
    await waitFor(() => expect(scans()).toHaveLength(5));
    expect(scans()).toEqual([
      'Pre-Market Scan',
      'Intra-Day < $1 Scan',
      'Intra-Day ≥ $1 Scan',
      'Large Cap Scan',
      'my scan Over forty',
    ]);
    const value = (label: string) => dialog.getByLabelText<HTMLInputElement>(label).value;
    expect(value('Scan')).toBe('intraDaySmall');
    expect(
      [
        'Same stock again after (minutes)',
        'Same stock a day, at most',
        'Messages a minute, the rest in one',
      ].map(value),
    ).toEqual(['30', '3', '5']);
    await dialog.findByText('Shown in the browser. To get it on your phone, link a chat in Settings.');
    expect(await findings(document.body)).toEqual([]);
  });

  test('saves what was chosen, closes, and has the lists read again', async () => {
    server.answers['GET /api/settings/linked-chats'] = { body: [aChat()] };
    const dialog = await open();
    const before = scanAlertTurns.value;
    await waitFor(() => expect(scans()).toHaveLength(5));
    await userEvent.selectOptions(dialog.getByLabelText('Scan'), 'my scan Over forty');
    await userEvent.selectOptions(dialog.getByLabelText('When a stock'), 'Leaves');
    await userEvent.selectOptions(dialog.getByLabelText('Of'), 'My watchlist');
    await userEvent.clear(dialog.getByLabelText('Same stock again after (minutes)'));
    await userEvent.type(dialog.getByLabelText('Same stock again after (minutes)'), '45');
    await userEvent.type(dialog.getByLabelText('Name (optional)'), 'Mine');
    await userEvent.click(await dialog.findByRole('switch', { name: 'Telegram' }));
    expect(dialog.queryByRole('switch', { name: 'Discord' }) === null).toBe(true);
    await userEvent.click(button('Add alert'));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent()).toMatchObject([
      {
        path: '/api/scan-alerts',
        body: {
          name: 'Mine',
          scan: { type: 'scan', id: 1, name: 'Over forty' },
          event: 'leaves',
          scope: 'watchlist',
          cooldown_minutes: 45,
          day_maximum: 3,
          minute_maximum: 5,
          destinations: { telegram: true, discord: false, devices: [] },
        },
      },
    ]);
    expect(scanAlertTurns.value).toBe(before + 1);
  });

  test('says that it saves, once, and what the server refuses; then it can be tried again', async () => {
    const answer = Promise.withResolvers<{ status: number; body: unknown }>();
    server.answers['POST /api/scan-alerts'] = () => answer.promise;
    await open();
    await userEvent.click(button('Add alert'));
    const saving = button('Saving…');
    expect(saving).toHaveProperty('disabled', true);
    await userEvent.click(saving);
    const error =
      'Your plan has 3 alerts on whole scans, and you have 3. Delete one or switch it off first. A larger plan has more.';
    answer.resolve({ status: 400, body: { error } });
    expect((await screen.findByRole('alert')).textContent).toBe(error);
    expect([sent().length, closed]).toEqual([1, 0]);
    server.answers['POST /api/scan-alerts'] = 'offline';
    await userEvent.click(button('Add alert'));
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(error));
    server.answers['POST /api/scan-alerts'] = { body: SAVED };
    await userEvent.click(button('Add alert'));
    await waitFor(() => expect(closed).toBe(1));
  });

  test('changes an alert on the version that was opened, and says where another change came first', async () => {
    const gone = { type: 'scan', id: 9, name: 'Gone' };
    const dialog = await open(alertOf({ name: 'Old', scan: gone, event: 'leaves', day_maximum: 7 }));
    expect(dialog.getByRole('heading', { name: 'Alert on a scan' })).toBeTruthy();
    // Its scan was deleted, and is still what it watches until another is chosen.
    await waitFor(() => expect(scans()).toHaveLength(6));
    expect(scans().at(-1)).toBe('my scan Gone');
    server.answers['PATCH /api/scan-alerts/3'] = {
      status: 409,
      body: { error: 'This alert was changed meanwhile. Open it again.', scan_alert: SAVED },
    };
    await userEvent.click(button('Save'));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This alert was changed meanwhile. Open it again.',
    );
    expect(sent().at(-1)?.body).toMatchObject({
      ...{ name: 'Old', scan: gone, event: 'leaves', day_maximum: 7, version: 4 },
    });
    server.answers['PATCH /api/scan-alerts/3'] = { body: SAVED };
    await userEvent.clear(dialog.getByLabelText('Name (optional)'));
    await userEvent.click(button('Save'));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent().at(-1)?.body).toMatchObject({ name: null });
  });
});

describe('the backtest of an alert on a scan', () => {
  const said = () => screen.getByRole('status').textContent;
  const find = (text: string | RegExp) => screen.findByText(text, {}, { timeout: 3000 });
  /** How often it would have fired; a phone shows the same beside the button. */
  const often = (text: RegExp) => screen.findByText(text, { selector: 'strong' }, { timeout: 3000 });
  const answer = (body: object) => {
    server.answers['POST /api/scan-alerts/rehearse'] = { body };
  };

  test('runs without being asked, and says how often it would have fired, for which stocks, and what was left out', async () => {
    const left = 'Sector is not rehearsed: no past of it is kept.';
    const newest = ['BHP', 'CBA'].map((symbol) => ({ symbol, date: '2026-11-18' }));
    answer({ fired: 240, stocks: 9, days: 20, busiestDay: 30, newest, notRehearsed: [left] });
    await open();
    expect(said()).toBe('Testing the last 20 trading days…');
    await find(left);
    expect(said()).toBe(
      'Would have fired about 12 times a day: 240 times for 9 stocks in 20 trading days, 30 on the busiest day. Last: BHP, CBA.',
    );
    expect(await findings(document.body)).toEqual([]);
  });

  test('offers a stricter alert for one that is too often, and shows its number after one press', async () => {
    server.answers['POST /api/scan-alerts/rehearse'] = ({ body }) => {
      const { scan } = body as { scan: WatchedScan };
      const isStricter = scan.filters?.minChange === 5;
      const stricter = isStricter ? null : { kind: 'minChange', limit: 5, perDay: 11.6 };
      return { body: { fired: isStricter ? 232 : 12_034, stocks: 420, days: 20, busiestDay: 700, stricter } };
    };
    const dialog = await open();
    await often(/^Would have fired about 602 times a day/);
    expect(
      dialog.getByText(/^More than 20 times a day is too often to follow. A stricter/).textContent,
    ).toEndWith('would have fired about 12 times a day:');
    expect(await findings(document.body)).toEqual([]);
    expect(dialog.getByText(/^Would have fired/, { selector: '.dialog-foot *' }).textContent).toBe(
      'Would have fired about 602 times a day',
    );
    await userEvent.click(button('Only if up at least 5%'));
    // The button is gone, and the focus is where its result comes.
    expect(document.activeElement?.textContent).toBe('Testing the last 20 trading days…');
    expect(dialog.getByText('Up at least 5% on the day')).toBeTruthy();
    await often(/^Would have fired about 12 times a day/);
    expect(dialog.queryByText(/^More than 20/)).toBeNull();
    await userEvent.click(button('Add alert'));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent()[0]?.body).toMatchObject({
      scan: { type: 'scanner', key: 'intraDaySmall', filters: { minValue: 5000, minChange: 5 } },
    });
  });
});
