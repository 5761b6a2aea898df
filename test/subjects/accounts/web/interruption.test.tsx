import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LoginPage } from '#subjects/accounts/web/LoginPage.tsx';
import {
  draftColumns,
  dropDrafts,
  editColumns,
} from '#subjects/scanners/web/shared/columns/ColumnsPanel.tsx';
import { SettingsPage } from '#subjects/settings/web/SettingsPage.tsx';
import { useCallForm } from '#subjects/calls/web/shared/callForm.tsx';
import { useScanDraft } from '#subjects/scanners/web/custom/ScanEditor.tsx';
import { navigate } from '#web/router/navigate.ts';
import { logIn } from '#subjects/accounts/web/shared/session/account.ts';
import { holdInput, interruption, userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import {
  endSession,
  followOtherWindows,
  keepLinkToken,
  session,
  startSession,
} from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { CATALOGS } from '#support/catalogs.ts';
import { fakeApi, MAGGIE } from '#support/fakeApi.ts';

/** A token of a user, in the server’s format. */
const tokenOf = (uid: number, sid: string) => {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '');
  return `${part({ alg: 'HS256' })}.${part({ uid, sid })}.x`;
};
const [MAGGIES, HERS_AGAIN, TOMS] = [tokenOf(1, 'a'), tokenOf(1, 'b'), tokenOf(2, 'c')];

let server: ReturnType<typeof fakeApi>;
let stops: (() => void)[];
beforeEach(() => {
  server = fakeApi({
    'GET /api/settings': { body: MAGGIE },
    'GET /api/test/status': { body: { test: false } },
    ...CATALOGS,
  });
  stops = [followOtherWindows(), startSettings()];
  startSession({ accessToken: MAGGIES, accessLevel: 1 });
});
afterEach(() => {
  dropDrafts();
  endSession();
  keepLinkToken(null);
  for (const stop of stops) stop();
  server.restore();
});

/** Another window of this browser writes the session. */
const elsewhere = (accessToken: string | null) =>
  act(() => {
    if (accessToken === null) localStorage.removeItem('accessToken');
    else localStorage.setItem('accessToken', accessToken);
    localStorage.setItem('accessLevel', '1');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));
  });
const logInAs = (accessToken: string) =>
  act(async () => {
    server.answers['POST /api/login'] = { body: { authenticated: true, accessToken, accessLevel: 1 } };
    await logIn({ identifier: 'maggie', password: 'secret1' });
  });
const hash = () => window.location.hash;

test('a token identifies its user; a malformed one does not', () => {
  expect([MAGGIES, HERS_AGAIN, TOMS, 'abc', 'a.b.c', null].map(userOf)).toEqual([
    '1',
    '1',
    '2',
    null,
    null,
    null,
  ]);
});

describe('a window whose session ended', () => {
  test('in another window shows that on the login screen, and returns when the same user logs in', async () => {
    navigate('/custom-scanner');
    elsewhere(null);
    expect([session.value.isAuthenticated, hash()]).toEqual([false, '#/login']);
    render(<LoginPage />);
    expect(screen.getByText('You were logged out in another window.')).toBeDefined();
    await logInAs(HERS_AGAIN);
    expect(hash()).toBe('#/custom-scanner');
    expect(interruption.value).toBeNull();
  });

  test('returns when the same user logs in in another window, as a pop-up to its scanner', () => {
    navigate('/intra-day-large-cap');
    elsewhere(null);
    elsewhere(HERS_AGAIN);
    expect([session.value.accessToken, hash()]).toEqual([HERS_AGAIN, '#/intra-day-large-cap']);
  });

  test('opens the usual page after another user’s login, with a chat link, or after a logout here', async () => {
    navigate('/custom-scanner');
    elsewhere(null);
    await logInAs(TOMS);
    expect(hash()).toBe('#/pre-market');
    elsewhere(null);
    keepLinkToken('link');
    await logInAs(TOMS);
    expect(hash()).toBe('#/settings');
    keepLinkToken(null);
    act(() => endSession());
    render(<LoginPage />);
    expect(screen.queryByRole('status') === null).toBe(true);
    await logInAs(TOMS);
    expect(hash()).toBe('#/pre-market');
  });
});

function CallForm() {
  const { values, change } = useCallForm(null);
  return (
    <button
      type="button"
      onClick={() => change({ ...values, symbol: 'BHP', entryPrice: 45 })}
    >{`${values.symbol} ${values.entryPrice}`}</button>
  );
}
function ScanForm({ id }: { id: number | null }) {
  const draft = useScanDraft(id);
  return (
    <button
      type="button"
      onClick={() => draft.setName('Dips')}
    >{`${draft.name} ${draft.conditions.length} ${draft.isChanged}`}</button>
  );
}
const button = () => screen.getByRole('button');
const press = () => userEvent.click(button());

describe('unsaved text', () => {
  test('of a call is restored once for the same user', async () => {
    render(<CallForm />);
    await press();
    elsewhere(null);
    cleanup();
    const { unmount } = render(<LoginPage />);
    expect(screen.getByRole('status').textContent).toContain('Your unsaved input is kept');
    unmount();
    await logInAs(HERS_AGAIN);
    render(<CallForm />);
    expect(button().textContent).toBe('BHP 45');
    cleanup();
    render(<CallForm />);
    expect(button().textContent).toBe(' null');
    expect(sessionStorage.getItem('bellbird.interruption')).toBeNull();
  });

  test('is discarded for another user and after a logout in this window', async () => {
    for (const end of [() => elsewhere(null), () => act(() => endSession())]) {
      render(<CallForm />);
      await press();
      end();
      cleanup();
      await logInAs(TOMS);
      expect(sessionStorage.getItem('bellbird.interruption')).toBeNull();
      render(<CallForm />);
      expect(button().textContent).toBe(' null');
      cleanup();
      act(() => startSession({ accessToken: MAGGIES, accessLevel: 1 }));
    }
  });

  test('of the scan editor is restored with its conditions', async () => {
    render(<ScanForm id={7} />);
    await press();
    elsewhere(null);
    cleanup();
    elsewhere(HERS_AGAIN);
    render(<ScanForm id={7} />);
    expect(button().textContent).toBe('Dips 1 true');
  });

  test('of changed column chips is restored', async () => {
    await act(async () => void (await loadSettings()));
    navigate('/settings/columns');
    render(<SettingsPage />);
    await screen.findByRole('heading', { name: 'Table columns' });
    const list = draftColumns('custom');
    act(() => editColumns('custom', [...list].reverse()));
    elsewhere(null);
    cleanup();
    expect(draftColumns('custom')).toEqual(list);
    elsewhere(HERS_AGAIN);
    await act(async () => void (await loadSettings()));
    render(<SettingsPage />);
    await waitFor(() => expect(draftColumns('custom')).toEqual([...list].reverse()));
  });
});

test('unsaved text survives a reload before the login', async () => {
  const stop = holdInput('call', () => ({ symbol: 'BHP' }));
  elsewhere(null);
  stop();
  expect(interruption.peek()?.inputs).toEqual({ call: { symbol: 'BHP' } });
  // The reloaded module reads the text that this one stored.
  const path = `${import.meta.dir}/../../../../src/subjects/accounts/web/shared/session/interruption.ts?reloaded`;
  const reloaded = (await import(path)) as { interruption: typeof interruption };
  expect(reloaded.interruption.peek()).toEqual(interruption.peek());
});
