import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ScanAlerts } from '../../../../src/subjects/alerts/web/watchlist/scanAlerts/ScanAlerts.tsx';
import { requestedScanAlert, showScanAlert } from '../../../../src/subjects/alerts/web/shared/showAlert.ts';
import { scanAlertsChanged } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { tokenOf } from '../../../support/alertWindow.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { aSeen } from '../../../support/aTrigger.ts';

// Loaded ahead: no test waits for the code of a dialog.
await Promise.all([
  import('../../../../src/subjects/alerts/web/shared/scanAlerts/ScanAlertDialog.tsx'),
  import('../../../../web/ui/ConfirmDialog.tsx'),
]);

const GAPS = {
  ...{ id: 3, name: 'Gaps', scan: { type: 'scanner', key: 'preMarket' }, event: 'enters', scope: 'market' },
  ...{ cooldown_minutes: 30, day_maximum: 3, minute_maximum: 5, active: true, version: 2, in_scan: 14 },
  destinations: { telegram: true, discord: false, devices: [] },
  last_triggered_at: '2026-11-19T23:42:00Z',
  last_triggered_market_time: '2026-11-19T23:55:00Z',
  snoozed_until: '2026-11-20T02:00:00Z',
  muted_today: ['BHP', 'CBA'],
  problem: null,
};
const GONE = {
  ...{ id: 4, scan: { type: 'scan', id: 7, name: 'Breakouts' }, event: 'leaves', scope: 'watchlist' },
  problem: 'Your scan "Breakouts" does not exist any more. Choose another one.',
};
const TRIGGER = { id: 9, timestamp: '2026-11-19T23:42:00Z' };
const TRIGGERS = {
  triggers: [
    {
      ...{
        ...TRIGGER,
        symbol: 'BHP',
        symbols: [],
        event: 'enters',
        scan: 'Pre-Market Scan',
        seen: [aSeen()],
      },
      ...{ marketTime: '2026-11-19T23:42:00Z', quoteTime: '2026-11-19T23:41:58Z' },
      ...{ source: 'simulator', delayMinutes: 0, silent: true },
    },
    { ...TRIGGER, id: 8, symbol: null, symbols: ['CBA', 'NAB'], event: 'leaves' },
  ],
};

let server: ReturnType<typeof fakeApi>;

beforeEach(() => {
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  server = fakeApi({
    'GET /api/scan-alerts': { body: { scan_alerts: [{ ...GAPS, snoozed_until: null }, GONE], limit: 3 } },
    'GET /api/scan-alerts/3/triggers': { body: TRIGGERS },
    'PATCH /api/scan-alerts/3': { body: GAPS },
    'DELETE /api/scan-alerts/3': { body: { success: true } },
    'POST /api/scan-alerts/3/mutes': { body: GAPS },
    'GET /api/settings/linked-chats': { body: [] },
    'GET /api/indicators/scans': { body: { scans: [] } },
  });
});
afterEach(() => {
  cleanup();
  server.restore();
  endSession();
});

const show = () => render(<ScanAlerts />);
const listed = (scan_alerts: object[], limit = 3) => ({ body: { scan_alerts, limit } });
const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));
const gaps = () => row(/^Gaps/);
const sent = () =>
  server.calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
const loads = () => server.to('/api/scan-alerts').length;
const again = () => act(async () => scanAlertsChanged());

describe('the list of alerts on scans', () => {
  test('loads, and shows each with its scan, who stands in it, its limits and when it fired', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof listed>>();
    server.answers['GET /api/scan-alerts'] = () => answer.promise;
    show();
    expect(screen.getByText('Loading alerts on scans…')).toBeTruthy();
    answer.resolve(listed([{ ...GAPS, snoozed_until: null }, { ...GONE }]));
    const cells = (await gaps()).getAllByRole('cell').map(({ textContent }) => textContent);
    expect(cells.slice(0, 3)).toEqual(['14', '30 min, 3 a day, 5 messages a minute', '20 Nov 10:55']);
    expect((await gaps()).getByRole('rowheader').textContent).toBe('Gaps Any stock enters Pre-Market Scan');
    const gone = await row(/^A stock I watch leaves my scan Breakouts/);
    expect(gone.getByText(/does not exist any more\. Choose another one\.$/)).toBeTruthy();
    expect(gone.getAllByRole('cell').map(({ textContent }) => textContent)[2]).toBe('Never');
    expect(await findings(document.body)).toEqual([]);
  });

  test('brings the alert that another page asks for into sight, with the focus on it, also when it comes later', async () => {
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

  test('that can’t be loaded says so until it can; what was loaded stays when a later load fails', async () => {
    const failure = { status: 503, body: { error: 'The server is busy.' } };
    const works = server.answers['GET /api/scan-alerts'] ?? 'offline';
    server.answers['GET /api/scan-alerts'] = failure;
    show();
    const banner = within(await screen.findByRole('alert'));
    expect(banner.getByText('The server is busy.')).toBeTruthy();
    // Dismissed, it would look as if it were loading.
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

  test('switches, snoozes and wakes an alert, and reads the list again after each', async () => {
    show();
    await userEvent.click((await gaps()).getByRole('switch', { name: 'Gaps: on' }));
    await waitFor(() => expect(loads()).toBe(2));
    server.answers['GET /api/scan-alerts'] = listed([{ ...GAPS, snoozed_until: '2026-11-20T02:00:00.000Z' }]);
    await userEvent.click((await gaps()).getByRole('button', { name: 'Snooze 1 h: Gaps' }));
    await (await gaps()).findByText(/^Snoozed until 13:00 Sydney: it sends nothing until then\./);
    expect((await gaps()).queryByRole('button', { name: 'Snooze 1 h: Gaps' }) === null).toBe(true);
    await userEvent.click((await gaps()).getByRole('button', { name: 'End snooze of Gaps' }));
    expect(sent()).toEqual([
      ['PATCH', '/api/scan-alerts/3', { active: false }],
      ['PATCH', '/api/scan-alerts/3', { snoozed_until: expect.stringMatching(/Z$/) }],
      ['PATCH', '/api/scan-alerts/3', { snoozed_until: null }],
    ]);
  });
});

describe('what an alert on a scan told', () => {
  const open = async () => {
    show();
    await userEvent.click((await gaps()).getByRole('button', { name: 'History of Gaps' }));
  };

  test('is listed newest first with why, the market’s time, and the stocks that are not told today', async () => {
    await open();
    const items = within(await screen.findByRole('list')).getAllByRole('listitem');
    expect(items.map((item) => within(item).getByText(/Nov/).textContent)).toEqual([
      '20 Nov 10:42 BHP entered (snoozed)',
      '20 Nov 10:42 2 more: CBA, NAB left',
    ]);
    expect(items[0]?.textContent).toContain('crosses above 50.50');
    expect(screen.getByRole('button', { name: 'Tell BHP again' })).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
  });

  test('leaves a stock out for today and takes it back, and says what the server refuses', async () => {
    server.answers['GET /api/scan-alerts'] = listed([{ ...GAPS, snoozed_until: null, muted_today: ['CBA'] }]);
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Not this stock today: BHP' }));
    await userEvent.click(screen.getByRole('button', { name: 'Tell CBA again' }));
    await waitFor(() =>
      expect(sent()).toEqual([
        ['POST', '/api/scan-alerts/3/mutes', { symbol: 'BHP', muted: true }],
        ['POST', '/api/scan-alerts/3/mutes', { symbol: 'CBA', muted: false }],
      ]),
    );
    const error = 'Choose a stock that is listed.';
    server.answers['POST /api/scan-alerts/3/mutes'] = { status: 400, body: { error } };
    await userEvent.click(screen.getByRole('button', { name: 'Not this stock today: BHP' }));
    await screen.findByText(error);
  });
});
