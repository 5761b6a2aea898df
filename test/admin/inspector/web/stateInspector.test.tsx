import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StateInspector } from '../../../../src/admin/inspector/web/StateInspector.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { OWN_STATE_ANSWERS, SPECIFIED_STATE_ANSWERS } from '../../../support/specifiedState.ts';

const SUMMARY = 'GET /api/admin/internal-state';
const MARKET = 'GET /api/admin/internal-state/market';

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    [SUMMARY]: { body: OWN_STATE_ANSWERS[SUMMARY] },
    [MARKET]: { body: OWN_STATE_ANSWERS[MARKET] },
  });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const asked = () => server.calls.filter(({ path }) => path.endsWith('/market')).length;
const rows = () =>
  within(screen.getByRole('table', { name: 'Parts of the server' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const show = async () => {
  render(<StateInspector />);
  await screen.findByRole('table', { name: 'Parts of the server' });
};
const inspect = async () => {
  await press('Inspect Market');
  return screen.findByRole('dialog', { name: 'Market' });
};

describe('the table', () => {
  test('says of each part its name, its type and its figures, and why one could not be read', async () => {
    await show();
    expect(rows()).toEqual([
      ['Name', 'Type', 'Stats', 'Inspect'],
      ['Market', 'map', 'stocks 2,000date 2026-11-20', 'Inspect'],
      ['Market source', 'object', 'healthy yeslast success 2026-11-20 12:00:00problem –', 'Inspect'],
      ['outbox', '', 'This section could not be read. The log says why.', 'Inspect'],
    ]);
    expect(await findings(document.body)).toEqual([]);
  });

  test('is read of the bare specified form', async () => {
    server.answers[SUMMARY] = { body: SPECIFIED_STATE_ANSWERS[SUMMARY] };
    await show();
    expect(rows()[1]).toEqual(['Market', 'map', '2,000 stocks', 'Inspect']);
  });

  test('is grey while it loads, and says that it could not be loaded, with a Retry', async () => {
    server.answers[SUMMARY] = { status: 500, body: { error: 'Something.' } };
    render(<StateInspector />);
    expect(screen.getByRole('status', { name: 'Loading the server’s state…' })).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load server state summary.');
    server.answers[SUMMARY] = { body: OWN_STATE_ANSWERS[SUMMARY] };
    await press('Retry');
    await screen.findByRole('table', { name: 'Parts of the server' });
    expect(screen.queryByRole('alert') === null).toBe(true);
  });

  test('stays, with a warning, when it can not be refreshed', async () => {
    await show();
    server.answers[SUMMARY] = 'offline';
    await press('Refresh');
    expect(
      (await screen.findByText('Failed to load server state summary.')).closest('[role=status]'),
    ).toBeTruthy();
    expect(rows()).toHaveLength(4);
  });

  test('without parts is a sentence', async () => {
    server.answers[SUMMARY] = { body: { sections: [] } };
    render(<StateInspector />);
    await screen.findByText('No server state to show.');
  });
});

describe('the details', () => {
  test('are type, approximate size, fetch time, figures and JSON', async () => {
    await show();
    const dialog = within(await inspect());
    await dialog.findByText('1.5 MB');
    const facts = [...document.querySelectorAll('.state-dialog-facts > *')].map((one) => one.textContent);
    expect(facts).toEqual([
      ...['Type', 'map', 'Approximate size', '1.5 MB', 'Fetched', '12:00:00'],
      ...['Stats', 'stocks 2,000date 2026-11-20'],
    ]);
    expect(dialog.getByRole('region', { name: 'JSON' }).textContent).toBe(
      JSON.stringify(OWN_STATE_ANSWERS[MARKET].data, null, 2),
    );
    expect(await findings(document.body)).toEqual([]);
  });

  test('are kept until Refresh, and come back at once', async () => {
    await show();
    await inspect();
    await screen.findByText('1.5 MB');
    await press('Close');
    await inspect();
    await screen.findByText('1.5 MB');
    expect(asked()).toBe(1);
    server.answers[MARKET] = { body: { ...OWN_STATE_ANSWERS[MARKET], approxHumanSize: '9.9 KB' } };
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Refresh' }));
    await screen.findByText('9.9 KB');
    expect(asked()).toBe(2);
    await press('Close');
    await press('Refresh');
    await waitFor(() => expect(server.to('/api/admin/internal-state')).toHaveLength(2));
    await inspect();
    await waitFor(() => expect(asked()).toBe(3));
  });

  test('that can not be loaded say so, and Retry loads them', async () => {
    server.answers[MARKET] = { status: 500, body: { error: 'Something.' } };
    await show();
    const dialog = within(await inspect());
    expect((await dialog.findByRole('alert')).textContent).toContain('Failed to load state snapshot.');
    await press('Copy JSON');
    await dialog.findByText('Nothing to copy');
    server.answers[MARKET] = { body: OWN_STATE_ANSWERS[MARKET] };
    await press('Retry');
    await dialog.findByRole('region', { name: 'JSON' });
  });

  test('of a part that holds nothing say so', async () => {
    server.answers[MARKET] = { body: { ...OWN_STATE_ANSWERS[MARKET], data: null } };
    await show();
    await inspect();
    await screen.findByText('Nothing to show here.');
    await press('Copy JSON');
    await screen.findByText('Nothing to copy');
  });
});

describe('Copy JSON', () => {
  const json = JSON.stringify(OWN_STATE_ANSWERS[MARKET].data, null, 2);
  const own = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  const setClipboard = (clipboard: unknown) =>
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  const realCommand = document.execCommand;
  /** What a selection holds when the browser is told to copy it. */
  const setCommand = (works: boolean, copied: string[]) => {
    document.execCommand = () => {
      const box = document.activeElement;
      if (box instanceof HTMLTextAreaElement) copied.push(box.value);
      return works;
    };
  };
  afterEach(() => {
    if (own) Object.defineProperty(navigator, 'clipboard', own);
    else Reflect.deleteProperty(navigator, 'clipboard');
    document.execCommand = realCommand;
  });
  const open = async () => {
    await show();
    await inspect();
    await screen.findByRole('region', { name: 'JSON' });
  };
  /** A click without the user library's own clipboard. */
  const copy = () => screen.getByRole('button', { name: 'Copy JSON' }).click();

  test('uses the clipboard where the browser offers it, and says so for two seconds', async () => {
    const copied: string[] = [];
    await open();
    setClipboard({ writeText: async (text: string) => void copied.push(text) });
    copy();
    await screen.findByText('Copied');
    expect(copied).toEqual([json]);
    await waitFor(() => expect(screen.queryByText('Copied') === null).toBe(true), { timeout: 4000 });
  });

  test('copies by a selection on a page that came by http, and leaves the focus where it was', async () => {
    const copied: string[] = [];
    await open();
    setClipboard(undefined);
    setCommand(true, copied);
    const focused = document.activeElement;
    copy();
    await screen.findByText('Copied');
    expect(copied).toEqual([json]);
    expect(document.querySelectorAll('textarea')).toHaveLength(0);
    expect(document.activeElement === focused).toBe(true);
  });

  test('goes the other way when the clipboard is refused', async () => {
    const copied: string[] = [];
    await open();
    setClipboard({ writeText: () => Promise.reject(new Error('NotAllowedError')) });
    setCommand(true, copied);
    copy();
    await screen.findByText('Copied');
    expect(copied).toEqual([json]);
  });

  test('says when it failed', async () => {
    await open();
    setClipboard(undefined);
    setCommand(false, []);
    copy();
    await screen.findByText('Copy failed');
  });
});
