import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../../../web/app/App.tsx';
import { publishHidden, publishUnseen } from '../../../src/subjects/alerts/web/shared/unseenTriggers.ts';
import { loadAppInfo } from '../../../web/shared/appInfo.ts';
import { startLive } from '../../../web/live/market.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../web/shared/settings.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { findings } from '../../support/axe.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { aSnapshot } from '../../support/market.ts';

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stops: (() => void)[];
let sent: string[];
beforeEach(() => {
  server = fakeApi({
    'GET /api/settings': { body: MAGGIE },
    'GET /api/app': { body: { test: false, donateUrl: null, version: '0', commit: 'c' } },
    'GET /api/test/status': { body: { test: false } },
    'POST /api/logout': { status: 204 },
  });
  sent = [];
  window.location.hash = '#/calls';
  stops = [
    startRouter(),
    startSettings(),
    startLive((take) => {
      receive = take;
      return (message) => sent.push(message.type);
    }),
  ];
});
afterEach(() => {
  endSession();
  for (const stop of stops) stop();
  server.restore();
});

async function open(route: string, level = 0) {
  if (level > 0) {
    startSession({ accessToken: 'token', accessLevel: level });
    await loadSettings();
  }
  navigate(route);
  const view = render(<App />);
  await waitFor(() => expect(document.querySelector('main .loading-overlay') === null).toBe(true));
  return view;
}
const market = (change: Parameters<typeof aSnapshot>[1] = {}) =>
  act(() =>
    receive({
      type: 'state',
      state: fromSnapshot(aSnapshot(['BHP'], change), Date.now()),
      connection: 'live',
    }),
  );
const navigation = () => screen.getByRole('navigation', { name: 'Main' });
const linkNames = (name: string) =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('the header of a visitor', () => {
  test('leads to Calls, and everywhere else to login, saying why', async () => {
    await open('/calls');
    expect(linkNames('Main')).toEqual(['Scanners', 'FX News', 'Calls', 'Watchlist & Alerts', 'Settings']);
    for (const link of within(navigation()).getAllByRole('link')) {
      const isCalls = link.textContent === 'Calls';
      expect(link.getAttribute('href')).toBe(isCalls ? '#/calls' : '#/login');
      const hint = document.getElementById(link.getAttribute('aria-describedby') ?? '');
      expect(hint?.textContent ?? null).toBe(isCalls ? null : 'Login to access this section');
    }
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('#/login');
    expect(screen.queryByRole('button', { name: 'Logout' }) === null).toBe(true);
    expect(document.title).toBe('Calls · Bellbird');
  });
  test('is sent to Calls from a protected address', async () => {
    await open('/settings');
    expect(screen.getByRole('heading', { name: 'Calls' })).toBeTruthy();
    await waitFor(() => expect(window.location.hash).toBe('#/calls'));
  });
});

describe('the header of a signed-in user', () => {
  test('shows the badge: two capitals, name and tier', async () => {
    await open('/settings', 1);
    const header = within(screen.getByRole('banner'));
    expect(header.getByText('MA')).toBeTruthy();
    expect(header.getByText('maggie')).toBeTruthy();
    expect(header.getByText('basic')).toBeTruthy();
  });
  test('has Admin from level 4 only', async () => {
    const { unmount } = await open('/settings', 3);
    expect(linkNames('Main')).not.toContain('Admin');
    unmount();
    await open('/settings', 4);
    expect(linkNames('Main').at(-1)).toBe('Admin');
  });
  test('logs out', async () => {
    await open('/settings', 1);
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
    expect(server.to('/api/logout')).toMatchObject([{ authorization: 'token' }]);
    await screen.findByRole('heading', { name: 'Login' });
    expect(localStorage.getItem('accessToken')).toBeNull();
  });
  test('has the donate link only where there is one', async () => {
    await open('/settings', 1);
    await act(() => loadAppInfo());
    expect(screen.queryByText('Support Me') === null).toBe(true);
    server.answers['GET /api/app'] = {
      body: { test: false, donateUrl: 'https://example.org/tip', version: '0', commit: 'c' },
    };
    await act(() => loadAppInfo());
    const link = screen.getByRole('link', { name: 'Support Me' });
    expect(link.getAttribute('href')).toBe('https://example.org/tip');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  });
  test('switches the theme', async () => {
    await open('/settings', 1);
    await userEvent.click(screen.getByRole('button', { name: 'Switch to the light theme' }));
    await userEvent.click(screen.getByRole('button', { name: 'Switch to the dark theme' }));
    expect(screen.getByRole('button', { name: 'Switch to the light theme' })).toBeTruthy();
  });
});

describe('the scanner strip', () => {
  test('stands on the five scanner routes only, with the tab marked', async () => {
    await open('/custom-scanner', 1);
    const names = ['Pre-Market', 'Intra-Day < $1', 'Intra-Day ≥ $1', 'Large Cap', 'Custom'];
    expect(linkNames('Scanners')).toEqual(names);
    const current = within(screen.getByRole('navigation', { name: 'Scanners' }))
      .getAllByRole('link')
      .filter((link) => link.getAttribute('aria-current') === 'page');
    expect(current.map((link) => link.textContent)).toEqual(['Custom']);
    act(() => navigate('/settings'));
    await screen.findByRole('heading', { name: 'Settings' });
    expect(screen.queryByRole('navigation', { name: 'Scanners' }) === null).toBe(true);
  });
  test.each([
    ['2026-11-20T08:44:00+11:00', 'Off-Hours'],
    ['2026-11-20T08:45:00+11:00', 'Pre-Open'],
    ['2026-11-20T10:00:00+11:00', 'Intraday'],
    ['2026-11-20T16:15:00+11:00', 'Intraday'],
    ['2026-11-20T16:16:00+11:00', 'Off-Hours'],
    ['2026-11-21T11:00:00+11:00', 'Off-Hours'],
  ])('at %s the market is %s, by its own clock', async (time, label) => {
    await open('/pre-market', 1);
    market({ marketTime: Date.parse(time) });
    expect(screen.getByText(label, { selector: '.state-label' })).toBeTruthy();
  });
  test.each([
    ['on a Saturday', '2026-11-21T11:00:00+11:00', 'Last session: Friday 20 November'],
    ['in the evening', '2026-11-20T21:00:00+11:00', null],
  ])('%s it says which session is shown', async (_, time, text) => {
    await open('/pre-market', 1);
    market({ marketTime: Date.parse(time), dateToday: '2026-11-20' });
    expect(document.querySelector('.state-session')?.textContent ?? null).toBe(text);
  });
  test('names the stream and the source', async () => {
    await open('/pre-market', 1);
    expect(screen.getByText('Connecting…')).toBeTruthy();
    market();
    expect(screen.getByText('Live')).toBeTruthy();
    expect(screen.getByText('Simulated')).toBeTruthy();
    act(() => receive({ type: 'connection', connection: 'reconnecting' }));
    expect(screen.getByText('Reconnecting…')).toBeTruthy();
    act(() => receive({ type: 'connection', connection: 'disconnected' }));
    expect(screen.getByText('Disconnected')).toBeTruthy();
  });
  test('says in an amber strip that prices are old', async () => {
    await open('/pre-market', 1);
    const snapshot = aSnapshot(['BHP']);
    snapshot.meta.feed.lastUpdate = snapshot.meta.marketTime - 150_000;
    act(() => receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' }));
    expect(document.querySelector('.stale-strip p')?.textContent).toBe(
      'Prices from the simulated exchange are 2 min old. The source has sent nothing since.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(sent).toContain('retry');
  });
  test('tells what a source says of its trouble, on the screens that show live prices', async () => {
    await open('/calls');
    const { feed } = aSnapshot([]).meta;
    const problem = 'The bridge has sent nothing for 3 minutes.';
    market({ feed: { ...feed, name: 'ingest', healthy: false, problem } });
    expect(document.querySelector('.stale-strip p')?.textContent).toBe(
      `Prices from the broker bridge have not come in yet. ${problem}`,
    );
    act(() => navigate('/login'));
    await screen.findByRole('heading', { name: 'Login' });
    expect(document.querySelector('.stale-strip')).toBeNull();
  });
  test('a source in trouble no longer looks live', async () => {
    await open('/pre-market', 1);
    const { feed } = aSnapshot([]).meta;
    market({ feed: { ...feed, label: 'Live', healthy: false, problem: 'It is down.' } });
    expect(document.querySelector('.state-feed')?.classList.contains('state-unwell')).toBe(true);
    expect(document.querySelector('.state-feed')?.getAttribute('title')).toBe('It is down.');
  });
});

describe('keys', () => {
  test('1 to 5 and g with a letter go to screens, but not from a text box', async () => {
    await open('/settings', 4);
    await userEvent.keyboard('3');
    expect(window.location.hash).toBe('#/intra-day-mid-large');
    await userEvent.keyboard('ga');
    expect(window.location.hash).toBe('#/admin');
    await userEvent.keyboard('ge');
    await userEvent.selectOptions(await screen.findByLabelText('Quote site'), 'none');
    await userEvent.keyboard('1');
    expect(window.location.hash).toBe('#/settings');
  });
  test('a letter belongs to a g for a second and a half', async () => {
    await open('/settings', 1);
    const press = (key: string, timeStamp: number) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true });
      Object.defineProperty(event, 'timeStamp', { value: timeStamp });
      act(() => void document.body.dispatchEvent(event));
    };
    press('g', 1000);
    press('f', 2500);
    expect(window.location.hash).toBe('#/settings');
    press('g', 3000);
    press('f', 4499);
    expect(window.location.hash).toBe('#/fx-news');
  });
  test('of a visitor lead to the login where one is needed', async () => {
    await open('/calls');
    await userEvent.keyboard('ge');
    expect(window.location.hash).toBe('#/login');
    // The login's first box has the focus, and keys are typed into it.
    const box = await screen.findByLabelText('Username');
    await waitFor(() => expect(box === document.activeElement).toBe(true));
    act(() => box.blur());
    await userEvent.keyboard('gc');
    await waitFor(() => expect(window.location.hash).toBe('#/calls'));
    await userEvent.keyboard('2');
    expect(window.location.hash).toBe('#/login');
  });
  test('that compose a character in an input method are left to it', async () => {
    await open('/settings', 1);
    const composing = new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, isComposing: true });
    act(() => void window.dispatchEvent(composing));
    await act(() => Bun.sleep(5));
    expect(composing.defaultPrevented).toBe(false);
    expect(screen.queryByRole('dialog') === null).toBe(true);
  });
  test('? lists them', async () => {
    await open('/settings', 1);
    await userEvent.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard' });
    expect(within(dialog).getByText('Watchlist & Alerts')).toBeTruthy();
    expect(within(dialog).queryByText('Admin') === null).toBe(true);
    expect(await findings(dialog)).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
  });
  test('? lists only what does something on the screen that is shown', async () => {
    const listed = async () => {
      await userEvent.keyboard('?');
      const dialog = await screen.findByRole('dialog', { name: 'Keyboard' });
      const keys = [...dialog.querySelectorAll('dl > div')].map((one) => one.textContent);
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
      return keys.join();
    };
    await open('/settings', 1);
    expect(await listed()).not.toContain('Filter the table');
    act(() => navigate('/pre-market'));
    await screen.findByRole('grid', { name: 'Live Pre-Open' });
    const onScanner = await listed();
    for (const words of [
      'Filter the table',
      'Next row',
      '.Resume sorting',
      'Add a call',
      '2Intra-Day < $1',
      'geSettings',
    ]) {
      expect(onScanner).toContain(words);
    }
  });
  test('? tells a visitor nothing that leads only to the login', async () => {
    await open('/calls', 0);
    await userEvent.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard' });
    const keys = [...dialog.querySelectorAll('dl > div')].map((one) => one.textContent);
    expect(keys).toContain('gcCalls');
    for (const key of keys) expect(key).not.toMatch(/Intra-Day|Settings|Add a call/);
  });
  test('n opens the form of a new call, of the row’s symbol in a scanner; for a visitor it does nothing', async () => {
    await open('/settings', 1);
    await userEvent.keyboard('n');
    await screen.findByRole('dialog', { name: 'Submit Call' });
    expect(window.location.hash).toBe('#/calls');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add Call' }));
    act(() => navigate('/settings'));
    act(() => navigate('/calls'));
    await screen.findByRole('heading', { name: 'Calls' });
    expect(screen.queryByRole('dialog') === null).toBe(true);
    act(() => endSession());
    await userEvent.keyboard('n');
    expect(screen.queryByRole('dialog') === null).toBe(true);
  });
});

describe('alerts that were not seen', () => {
  afterEach(() => {
    publishUnseen(0);
    publishHidden(false);
  });

  test('are counted beside the watchlist, and before the title of a window out of sight', async () => {
    await open('/calls', 1);
    expect(linkNames('Main')).toContain('Watchlist & Alerts');
    act(() => publishUnseen(1));
    expect(within(navigation()).getByRole('link', { name: 'Watchlist & Alerts 1 new alert' })).toBeTruthy();
    act(() => publishUnseen(120));
    expect(
      within(navigation()).getByRole('link', { name: 'Watchlist & Alerts 99+ new alerts' }),
    ).toBeTruthy();
    expect(document.title).toBe('Calls · Bellbird');
    act(() => publishHidden(true));
    expect(document.title).toBe('(120) Calls · Bellbird');
    act(() => publishUnseen(0));
    expect(document.title).toBe('Calls · Bellbird');
  });
});

describe('addresses', () => {
  test('with nothing behind them say so', async () => {
    await open('/nothing-here', 1);
    expect(screen.getByText('Not found.')).toBeTruthy();
    expect(document.title).toBe('Not found · Bellbird');
  });
  test('/admin says the same below level 4', async () => {
    await open('/admin', 3);
    expect(screen.getByText('Not found.')).toBeTruthy();
  });
});

test('axe would find a button without a name', async () => {
  const { container } = render(<button type="button" />);
  expect(await findings(container)).toHaveLength(1);
});

describe('axe finds nothing', () => {
  test.each([
    ['/login', 0],
    ['/register', 0],
    ['/calls', 0],
    ['/fx-news', 1],
    ['/watchlist', 1],
    ['/settings', 1],
    ['/admin', 4],
    ['/nothing-here', 1],
    ['/pre-market', 1],
    ['/intra-day-small', 1],
  ])('on %s', async (route, level) => {
    await open(route, level);
    market();
    expect(await findings(document.body)).toEqual([]);
  });
});
