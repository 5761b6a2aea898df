import { beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { type WatchedScan, scanAlert } from '#subjects/alerts/answers/scanAlert.ts';
import { ScanAlertDialog } from '#subjects/alerts/web/shared/ScanAlertDialog.tsx';
import { scanAlertsChanged, scanAlertTurns } from '#subjects/alerts/web/shared/alertStream.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { ScanAlerts } from '#subjects/alerts/web/watchlist/ScanAlerts.tsx';
import { requestedScanAlert, showScanAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { aSeen } from '#support/aTrigger.ts';
import { tokenOf } from '#support/alertWindow.ts';
import { oddsPath } from '#web/shared/oddsPath.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';
import { aChat } from '#support/linkedChats.ts';
import { allOf, is, LAST } from '#support/conditions.ts';

// Loaded ahead so that no test waits for the code of a dialog.
await import('#subjects/alerts/web/watchlist/parts/ListMenu.tsx');

const SCANNER: WatchedScan = { type: 'scanner', key: 'intraDaySmall' };
const OVER_FORTY = {
  id: 1,
  name: 'Over forty',
  logic: allOf(is(LAST, '>', 40)),
};
const SAVED = { id: 3, scan: SCANNER, version: 4, active: true };

const GAPS = {
  id: 3,
  name: 'Gaps',
  scan: { type: 'scanner', key: 'preMarket' },
  event: 'enters',
  scope: 'market',
  cooldown_minutes: 30,
  day_maximum: 3,
  minute_maximum: 5,
  active: true,
  version: 2,
  in_scan: 14,
  destinations: { telegram: true, discord: false, devices: [] },
  last_triggered_at: '2026-11-19T23:42:00Z',
  last_triggered_market_time: '2026-11-19T23:55:00Z',
  snoozed_until: '2026-11-20T02:00:00Z',
  muted_today: ['BHP', 'CBA'],
  problem: null,
};
const GONE = {
  id: 4,
  scan: { type: 'scan', id: 7, name: 'Breakouts' },
  event: 'leaves',
  scope: 'watchlist',
  problem: 'Your scan "Breakouts" no longer exists. Choose another one.',
};
const TRIGGER = { id: 9, timestamp: '2026-11-19T23:42:00Z' };
const TRIGGERS = {
  triggers: [
    {
      ...TRIGGER,
      symbol: 'BHP',
      symbols: [],
      event: 'enters',
      scan: 'Pre-Market Scan',
      seen: [aSeen()],
      marketTime: '2026-11-19T23:42:00Z',
      quoteTime: '2026-11-19T23:41:58Z',
      source: 'simulator',
      delayMinutes: 0,
      silent: true,
    },
    { ...TRIGGER, id: 8, symbol: null, symbols: ['CBA', 'NAB'], event: 'leaves' },
  ],
};

const listed = (scan_alerts: object[], limit = 3) => ({ body: { scan_alerts, limit } });

const server = pageApi(() => ({
  'GET /api/settings/linked-chats': { body: [] },
  'GET /api/indicators/scans': { body: { scans: [OVER_FORTY] } },
  'POST /api/scan-alerts/rehearse': { body: { fired: 40, stocks: 9, days: 20, busiestDay: 5 } },
  'POST /api/scan-alerts': { body: SAVED },
  'PATCH /api/scan-alerts/3': { body: SAVED },
  'GET /api/scan-alerts': listed([{ ...GAPS, snoozed_until: null }, GONE]),
  'GET /api/scan-alerts/3/triggers': { body: TRIGGERS },
  'POST /api/scan-alerts/3/mutes': { body: GAPS },
}));
let closed: number;

beforeEach(() => {
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  closed = 0;
});

const alertOf = (change: object): ScanAlertView => {
  const alert = scanAlert.read({ ...SAVED, ...change });
  if (alert === null) throw new Error('There is no alert.');
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
  test('starts with defaults, offers scanners and saved scans, and is accessible', async () => {
    const dialog = await open();
    expect(dialog.getByRole('heading', { name: 'New alert on a scan' })).toBeTruthy();
    const odds = dialog.getByRole('link', { name: /^Does it work/ });
    expect(odds.getAttribute('href')).toBe(`#${oddsPath({ scan: SCANNER })}`);
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
    await dialog.findByText(/^Shown in the browser only/);
    expect(dialog.getByText('More').closest('details')?.open).toBe(false);
    expect(
      ['Don’t repeat a stock for (min)', 'Maximum per stock per day', 'Max messages/min (rest combined)'].map(
        value,
      ),
    ).toEqual(['30', '3', '5']);
    expect(await results(document.body)).toEqual([]);
  });

  test('saves the choices, closes, and reloads the lists', async () => {
    server.answers['GET /api/settings/linked-chats'] = { body: [aChat()] };
    const dialog = await open();
    const before = scanAlertTurns.value;
    await waitFor(() => expect(scans()).toHaveLength(5));
    await userEvent.selectOptions(dialog.getByLabelText('Scan'), 'my scan Over forty');
    await userEvent.selectOptions(dialog.getByLabelText('When a stock'), 'Leaves');
    await userEvent.selectOptions(dialog.getByLabelText('Of'), 'My watchlist');
    await userEvent.clear(dialog.getByLabelText('Don’t repeat a stock for (min)'));
    await userEvent.type(dialog.getByLabelText('Don’t repeat a stock for (min)'), '45');
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

  test('saves once, shows a refusal, and allows another try', async () => {
    const answer = Promise.withResolvers<{ status: number; body: unknown }>();
    server.answers['POST /api/scan-alerts'] = () => answer.promise;
    await open();
    await userEvent.click(button('Add alert'));
    const saving = button('Saving…');
    expect(saving).toHaveProperty('disabled', true);
    await userEvent.click(saving);
    const error =
      'Your plan has 3 alerts on whole scans, and you have 3. Delete one or switch it off first. A higher plan has more.';
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

  test('edits the opened version, and reports another change', async () => {
    const gone = { type: 'scan', id: 9, name: 'Gone' };
    const dialog = await open(alertOf({ name: 'Old', scan: gone, event: 'leaves', day_maximum: 7 }));
    expect(dialog.getByRole('heading', { name: 'Alert on a scan' })).toBeTruthy();
    expect(dialog.getByText('More').closest('details')?.open).toBe(true);
    // A deleted scan stays selected until another is chosen.
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
      name: 'Old',
      scan: gone,
      event: 'leaves',
      day_maximum: 7,
      version: 4,
    });
    server.answers['PATCH /api/scan-alerts/3'] = { body: SAVED };
    await userEvent.clear(dialog.getByLabelText('Name (optional)'));
    await userEvent.click(button('Save'));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent().at(-1)?.body).toMatchObject({ name: null });
  });
});

describe('the backtest of an alert on a scan', () => {
  const statusText = () => screen.getByRole('status').textContent;
  const find = (text: string | RegExp) => screen.findByText(text, {}, { timeout: 3000 });
  /** The number of firings; a phone shows it next to the button. */
  const often = (text: RegExp) => screen.findByText(text, { selector: 'strong' }, { timeout: 3000 });
  const answer = (body: object) => {
    server.answers['POST /api/scan-alerts/rehearse'] = { body };
  };

  test('runs automatically, and shows the number of firings, the stocks and the untested conditions', async () => {
    const left = 'Sector is not rehearsed: no past of it is kept.';
    const newest = ['BHP', 'CBA'].map((symbol) => ({ symbol, date: '2026-11-18' }));
    answer({ fired: 240, stocks: 9, days: 20, busiestDay: 30, newest, notRehearsed: [left] });
    await open();
    expect(statusText()).toBe('Backtesting the last 20 trading days…');
    await find(left);
    expect(statusText()).toBe(
      'Would have fired about 12 times a day: 240 times for 9 stocks in 20 trading days, 30 on the busiest day. Last: BHP, CBA.',
    );
    expect(await results(document.body)).toEqual([]);
  });

  test('offers a stricter alert for one that fires too often, and shows its result after a click', async () => {
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
    expect(await results(document.body)).toEqual([]);
    expect(dialog.getByText(/^Would have fired/, { selector: '.dialog-foot *' }).textContent).toBe(
      'Would have fired about 602 times a day',
    );
    await userEvent.click(button('Only if up at least 5%'));
    // The button is gone, and the focus moves to the result.
    expect(document.activeElement?.textContent).toBe('Backtesting the last 20 trading days…');
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

describe('alerts on scans', () => {
  const show = () => render(<ScanAlerts />);
  const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));
  const gaps = () => row(/^Gaps/);
  const changed = () => sent().map(({ method, path, body }) => [method, path, body]);
  const loads = () => server.to('/api/scan-alerts').length;
  const again = () => act(async () => scanAlertsChanged());
  const choose = async (action: string) => {
    await userEvent.click((await gaps()).getByRole('button', { name: 'More for Gaps' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  };

  describe('the list of alerts on scans', () => {
    test('shows each alert with its scan, current stocks, limits and last firing', async () => {
      const answer = Promise.withResolvers<ReturnType<typeof listed>>();
      server.answers['GET /api/scan-alerts'] = () => answer.promise;
      show();
      expect(screen.getByText('Loading alerts on scans…')).toBeTruthy();
      answer.resolve(listed([{ ...GAPS, snoozed_until: null }, { ...GONE }]));
      const cells = (await gaps()).getAllByRole('cell').map(({ textContent }) => textContent);
      expect(cells.slice(0, 3)).toEqual(['14', '30 min, 3 a day, 5 messages per minute', '20 Nov 10:55']);
      expect((await gaps()).getByRole('rowheader').textContent).toBe('Gaps Any stock enters Pre-Market Scan');
      const gone = await row(/^A stock I watch leaves my scan Breakouts/);
      expect(gone.getByText(/no longer exists\. Choose another one\.$/)).toBeTruthy();
      expect(gone.getAllByRole('cell').map(({ textContent }) => textContent)[2]).toBe('Never');
      expect(await results(document.body)).toEqual([]);
    });

    test('scrolls to a requested alert and focuses it, even if it loads later', async () => {
      show();
      await gaps();
      const focused = () => document.activeElement?.querySelector('th')?.textContent ?? '';
      act(() => showScanAlert(3));
      await waitFor(() => expect(focused()).toStartWith('Gaps'));
      act(() => showScanAlert(77));
      server.answers['GET /api/scan-alerts'] = listed([{ ...GAPS }, { ...GAPS, id: 77, name: 'New one' }]);
      await again();
      await waitFor(() => expect(focused()).toStartWith('New one'));
      expect(requestedScanAlert.value).toBeNull();
    });

    test('shows a failed load until it succeeds, and keeps loaded alerts after a later failure', async () => {
      const failure = { status: 503, body: { error: 'The server is busy.' } };
      const works = server.answers['GET /api/scan-alerts'] ?? 'offline';
      server.answers['GET /api/scan-alerts'] = failure;
      show();
      const banner = within(await screen.findByRole('alert'));
      expect(banner.getByText('The server is busy.')).toBeTruthy();
      // Dismissing it would look like loading.
      expect(banner.queryByRole('button', { name: 'Dismiss' }) === null).toBe(true);
      expect(screen.queryByText(/^Loading/) === null).toBe(true);
      server.answers['GET /api/scan-alerts'] = works;
      await userEvent.click(banner.getByRole('button', { name: 'Retry' }));
      await gaps();
      expect(screen.queryByRole('alert') === null).toBe(true);
      server.answers['GET /api/scan-alerts'] = failure;
      await again();
      await screen.findByText('The server is busy.');
      await gaps();
      await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(screen.queryByRole('alert') === null).toBe(true);
    });

    test('switches, snoozes and wakes an alert, and reloads the list each time', async () => {
      show();
      await userEvent.click((await gaps()).getByRole('switch', { name: 'Gaps: on' }));
      await waitFor(() => expect(loads()).toBe(2));
      server.answers['GET /api/scan-alerts'] = listed([
        { ...GAPS, snoozed_until: '2026-11-20T02:00:00.000Z' },
      ]);
      await choose('Snooze 1 h');
      await (await gaps()).findByText(/^Snoozed until 13:00 Sydney: no messages until then\./);
      await userEvent.click((await gaps()).getByRole('button', { name: 'End snooze of Gaps' }));
      expect(changed()).toEqual([
        ['PATCH', '/api/scan-alerts/3', { active: false }],
        ['PATCH', '/api/scan-alerts/3', { snoozed_until: expect.stringMatching(/Z$/) }],
        ['PATCH', '/api/scan-alerts/3', { snoozed_until: null }],
      ]);
    });

    test('deletes an alert at once, and Undo adds it again as it was', async () => {
      server.answers['DELETE /api/scan-alerts/3'] = { body: { success: true } };
      show();
      await choose('Delete');
      await screen.findByText('Alert deleted: Gaps, Any stock enters Pre-Market Scan');
      await userEvent.click(button('Undo'));
      await screen.findByText('Alert added again, without its history');
      const [deleted, added] = sent();
      expect(deleted?.method).toBe('DELETE');
      expect(added?.body).toMatchObject({ name: 'Gaps', scan: GAPS.scan, cooldown_minutes: 30 });
    });
  });

  describe('the triggers of an alert on a scan', () => {
    const open = async () => {
      show();
      await choose('History');
    };

    test('are listed newest first with reason, market time and muted stocks', async () => {
      await open();
      const items = within(await screen.findByRole('list')).getAllByRole('listitem');
      expect(items.map((item) => within(item).getByText(/Nov/).textContent)).toEqual([
        '20 Nov 10:42 BHP entered (snoozed)',
        '20 Nov 10:42 2 more: CBA, NAB left',
      ]);
      expect(items[0]?.textContent).toContain('crosses above 50.50');
      expect(screen.getByRole('button', { name: 'Unmute BHP' })).toBeTruthy();
      expect(await results(document.body)).toEqual([]);
    });

    test('can mute and unmute a stock for today, and show a refusal', async () => {
      server.answers['GET /api/scan-alerts'] = listed([
        { ...GAPS, snoozed_until: null, muted_today: ['CBA'] },
      ]);
      await open();
      await userEvent.click(await screen.findByRole('button', { name: 'Not this stock today: BHP' }));
      await userEvent.click(screen.getByRole('button', { name: 'Unmute CBA' }));
      await waitFor(() =>
        expect(changed()).toEqual([
          ['POST', '/api/scan-alerts/3/mutes', { symbol: 'BHP', muted: true }],
          ['POST', '/api/scan-alerts/3/mutes', { symbol: 'CBA', muted: false }],
        ]),
      );
      const error = 'Choose a listed stock.';
      server.answers['POST /api/scan-alerts/3/mutes'] = { status: 400, body: { error } };
      await userEvent.click(screen.getByRole('button', { name: 'Not this stock today: BHP' }));
      await screen.findByText(error);
    });
  });
});
