import { beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { scanAlert } from '#subjects/alerts/answers/scanAlert.ts';
import { NewsAlertDialog } from '#subjects/alerts/web/shared/NewsAlertDialog.tsx';
import { newNewsAlert } from '#subjects/alerts/web/shared/alertRequests.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { ScanAlerts } from '#subjects/alerts/web/watchlist/ScanAlerts.tsx';
import { tokenOf } from '#support/alertWindow.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';
import { aChat } from '#support/linkedChats.ts';

// Loaded ahead so that no test waits for the code of a dialog.
await import('#subjects/alerts/web/watchlist/parts/ListMenu.tsx');

const SENSITIVE = {
  type: 'announcements',
  kinds: [],
  words: [],
  filters: { minValue: 0, sensitiveOnly: true },
};
const SAVED = {
  id: 3,
  scan: { ...SENSITIVE, kinds: ['raising'], words: ['gold'] },
  version: 4,
  active: true,
  scope: 'watchlist',
  day_maximum: 10,
  minute_maximum: 1,
  destinations: { telegram: false, discord: false, devices: [] },
};
const NEWS = { code: 'BHP', headline: 'Trading Halt', isPriceSensitive: true, url: 'https://example.test/1' };
const FIRED = { event: 'enters', scan: 'announcements', timestamp: '2026-11-19T23:42:00Z' };

const server = pageApi(() => ({
  'GET /api/settings/linked-chats': { body: [aChat()] },
  'GET /api/devices': { body: { publicKey: 'a key', devices: [], adminMessages: true } },
  'GET /api/watchlists': { body: { lists: [{ id: 7, name: 'Miners', symbols: ['BHP'] }] } },
  'GET /api/scan-alerts': { body: { scan_alerts: [SAVED], limit: 3 } },
  'POST /api/scan-alerts': { body: SAVED },
  'PATCH /api/scan-alerts/3': { body: SAVED },
  'GET /api/scan-alerts/3/triggers': {
    body: {
      triggers: [
        { ...FIRED, id: 9, symbol: 'BHP', announcements: [NEWS] },
        {
          ...FIRED,
          id: 8,
          symbol: null,
          symbols: ['BHP', 'CBA'],
          announcements: [NEWS, { ...NEWS, code: 'CBA', url: null }],
        },
      ],
    },
  },
}));

let closed: number;
beforeEach(() => {
  startSession({ accessToken: tokenOf(1), accessLevel: 1 });
  closed = 0;
});

async function open(alert = false, draft = newNewsAlert()) {
  const saved = alert ? scanAlert.read(SAVED) : null;
  const scan = saved?.scan.type === 'announcements' ? saved.scan : draft.scan;
  render(<NewsAlertDialog alert={saved} draft={{ ...draft, scan }} onClose={() => (closed += 1)} />);
  return within(await screen.findByRole('dialog'));
}
const sent = () => server.calls.filter(({ method }) => method !== 'GET');
const box = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });

describe('the dialog of an alert on announcements', () => {
  test('is one click from an alert on the price-sensitive ones of all lists, to all chats', async () => {
    const dialog = await open();
    expect(dialog.getByText('Price-sensitive announcements of my lists.')).toBeTruthy();
    await waitFor(() => expect(box('Telegram').checked).toBe(true));
    expect(await results(document.body)).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Add alert' }));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent()).toMatchObject([
      {
        method: 'POST',
        body: { scan: SENSITIVE, scope: 'watchlist', minute_maximum: 1, destinations: { telegram: true } },
      },
    ]);
  });

  test('chooses a list, types and words, and says what it then watches', async () => {
    const dialog = await open();
    await dialog.findByRole('option', { name: 'Miners' });
    await userEvent.selectOptions(dialog.getByLabelText('Stocks'), 'Miners');
    await userEvent.click(box('Trading halt'));
    await userEvent.click(box('Takeover'));
    await userEvent.click(box('Price sensitive only'));
    await userEvent.type(dialog.getByLabelText('Words in the headline (optional)'), 'gold, rare earth,');
    expect(
      dialog.getByText(
        'Announcements (trading halt or takeover, with “gold” or “rare earth”) of my list “Miners”.',
      ),
    ).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Add alert' }));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent()[0]?.body).toMatchObject({
      scope: 'market',
      scan: {
        kinds: ['halt', 'takeover'],
        words: ['gold', 'rare earth'],
        filters: { minValue: 0, lists: [{ id: 7, name: 'Miners' }] },
      },
    });
  });

  test('edits an alert with its choices, and keeps its destinations', async () => {
    const dialog = await open(true);
    expect(box('Capital raising').checked).toBe(true);
    expect(dialog.getByLabelText<HTMLInputElement>('Words in the headline (optional)').value).toBe('gold');
    await userEvent.click(box('Capital raising'));
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(closed).toBe(1));
    expect(sent()).toMatchObject([
      {
        method: 'PATCH',
        body: { version: 4, scan: { kinds: [], words: ['gold'] }, destinations: { telegram: false } },
      },
    ]);
  });

  test('says that the alert exists, and shows the server’s refusal', async () => {
    server.answers['GET /api/scan-alerts'] = {
      body: { scan_alerts: [{ ...SAVED, scan: SENSITIVE }], limit: 3 },
    };
    server.answers['POST /api/scan-alerts'] = { status: 400, body: { error: 'Your plan has 3 alerts.' } };
    const dialog = await open();
    await dialog.findByText('You already have this alert. Each announcement notifies you once.');
    await userEvent.click(dialog.getByRole('button', { name: 'Add alert' }));
    await dialog.findByText('Your plan has 3 alerts.');
    expect(closed).toBe(0);
  });
});

test('the list of alerts names an alert on announcements, edits it, and lists what it reported', async () => {
  render(<ScanAlerts />);
  const title = 'Price-sensitive announcements (capital raising, with “gold”) of my lists';
  await screen.findByText(title);
  expect(screen.getByText('10 a day, 1 message per minute')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: `More for ${title}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'History' }));
  const [single, several] = await screen.findAllByText(/BHP|2 announcements/, { selector: 'summary strong' });
  expect(single?.closest('summary')?.textContent).toEndWith('BHP Trading Halt');
  expect(several?.textContent).toBe('2 announcements');
  expect(screen.getAllByRole('link', { hidden: true, name: 'Trading Halt' })).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: `Edit ${title}` }));
  expect(await screen.findByRole('dialog', { name: 'Alert on announcements' })).toBeTruthy();
});
