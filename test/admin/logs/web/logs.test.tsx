import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Logs } from '../../../../src/admin/logs/web/Logs.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import '../../../../web/ui/ConfirmDialog.tsx';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const LIST = 'GET /api/admin/logs';
const TAIL = 'GET /api/admin/logs/bellbird.log/tail';
const CLEAR = 'DELETE /api/admin/logs/bellbird.log';
const DOWNLOAD = 'GET /api/admin/logs/bellbird.log/download';

const tailed = (text: string, more: object = {}) => ({
  body: { text, file: '1-2', end: text.length, cut: false, restarted: false, ...more },
});

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    [LIST]: {
      body: {
        logs: [
          { name: 'bellbird.log', size: 2048, mtimeMs: Date.now() - 5000, current: true },
          { name: 'bellbird.log.1', size: 5_242_880, mtimeMs: Date.now() - 3 * 3_600_000, current: false },
        ],
      },
    },
    [TAIL]: tailed('one\ntwo\n'),
    'GET /api/admin/logs/bellbird.log.1/tail': tailed('older\n'),
  });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const lines = (name = 'bellbird.log') => screen.findByRole('region', { name: `Lines of ${name}` });
const show = async () => {
  render(<Logs />);
  return lines();
};
const tails = () => server.to('/api/admin/logs/bellbird.log/tail');

describe('the list', () => {
  test('tells size and age, and shows the end of the file that is written', async () => {
    expect((await show()).textContent).toBe('one\ntwo\n');
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()))).toEqual([
      ['bellbird.log In use', '2.0 KB', 'just now', 'ViewDownloadClear'],
      ['bellbird.log.1', '5.0 MB', '3 h ago', 'ViewDownloadClear'],
    ]);
    expect(await findings(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'View bellbird.log.1' }));
    expect((await lines('bellbird.log.1')).textContent).toBe('older\n');
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to list logs'],
    ['offline', 'Network error. Try again.'],
  ] as const)('says why it could not be loaded: %j', async (answer, message) => {
    server.answers[LIST] = answer;
    render(<Logs />);
    expect(screen.getByRole('status', { name: 'Loading logs…' })).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    server.answers[LIST] = { body: { logs: [] } };
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('There are no log files.');
  });
});

describe('the end of a file', () => {
  test('is text, whatever it looks like, and what can not be seen is made visible', async () => {
    server.answers[TAIL] = tailed('<b>bold</b> \u001b[31mred \u202eturned\n');
    const view = await show();
    expect(view.textContent).toBe('<b>bold</b> \ufffd[31mred \ufffdturned\n');
    expect(view.querySelector('b') === null).toBe(true);
  });

  test('says why it could not be read', async () => {
    server.answers[TAIL] = { status: 500, body: {} };
    render(<Logs />);
    expect(await screen.findByText('Error: Failed to read log')).toBeTruthy();
    server.answers[TAIL] = tailed('again\n');
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect((await lines()).textContent).toBe('again\n');
  });

  test('is empty, or cut', async () => {
    server.answers[TAIL] = tailed('');
    render(<Logs />);
    await screen.findByText('The file is empty.');
    server.answers[TAIL] = tailed('late\n', { cut: true });
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByText(/the first are left out/);
  });

  test('has as many lines as are asked for, by the rules of numbers; typing asks once', async () => {
    await show();
    const box = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Lines' });
    const seen: string[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = Object.assign(
      (input: string | URL | Request, init?: RequestInit) => {
        seen.push(new URL(input instanceof Request ? input.url : String(input)).search);
        return real(input, init);
      },
      { preconnect: real.preconnect },
    );
    await userEvent.clear(box);
    await userEvent.type(box, '9999');
    await userEvent.tab();
    expect(box.value).toBe('5000');
    await waitFor(() => expect(seen).toEqual(['?lines=5000']));
    await userEvent.clear(box);
    await userEvent.type(box, '0');
    await userEvent.tab();
    expect(box.value).toBe('1');
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}{PageUp}');
    expect(box.value).toBe('11');
    await waitFor(() => expect(seen.at(-1)).toBe('?lines=11'));
    expect(seen.length).toBeLessThan(5);
  });
});

describe('following', () => {
  const look = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
  const toggle = () => screen.getByRole('switch', { name: 'Follow' });

  test('adds what comes, begins anew after a clearing, and rests while the page is out of sight', async () => {
    await show();
    server.answers[TAIL] = tailed('three\n', { end: 14 });
    await userEvent.click(toggle());
    await waitFor(async () => expect((await lines()).textContent).toBe('one\ntwo\nthree\n'));
    server.answers[TAIL] = tailed('fresh\n', { restarted: true });
    look();
    await waitFor(async () => expect((await lines()).textContent).toBe('The file was cleared.\nfresh\n'));
    server.answers[TAIL] = tailed('much\n', { cut: true });
    look();
    await waitFor(async () => expect((await lines()).textContent).toContain('Some lines are left out here'));

    const hide = (value: boolean) =>
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    hide(true);
    const before = tails().length;
    look();
    expect(tails().length).toBe(before);
    hide(false);
    server.answers[TAIL] = tailed('');
    look();
    await waitFor(() => expect(tails().length).toBe(before + 1));
    Reflect.deleteProperty(document, 'hidden');
  });

  test('goes on after a failure, which it shows', async () => {
    await show();
    server.answers[TAIL] = 'offline';
    await userEvent.click(toggle());
    await screen.findByText('Error: Network error. Try again.');
    server.answers[TAIL] = tailed('three\n');
    look();
    await waitFor(async () => expect((await lines()).textContent).toBe('one\ntwo\nthree\n'));
  });

  test('ends when it is switched off', async () => {
    await show();
    await userEvent.click(toggle());
    await waitFor(() => expect(tails().length).toBe(2));
    await userEvent.click(toggle());
    look();
    expect(tails().length).toBe(2);
  });
});

describe('clearing', () => {
  const ask = async () => {
    await show();
    await userEvent.click(screen.getByRole('button', { name: 'Clear bellbird.log' }));
    return screen.findByRole('dialog', { name: 'Clear log' });
  };

  test('asks first, and Cancel clears nothing', async () => {
    const dialog = await ask();
    expect(within(dialog).getByText('Clear all contents of bellbird.log?')).toBeTruthy();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('empties the file, and reads list and file again', async () => {
    const dialog = await ask();
    server.answers[CLEAR] = { status: 204 };
    server.answers[TAIL] = tailed('');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Clear' }));
    await screen.findByText('The file is empty.');
    expect(screen.queryByRole('dialog') === null).toBe(true);
    expect(server.to('/api/admin/logs')).toHaveLength(2);
  });

  test.each([
    [{ status: 500, body: {} }, 'Failed to clear log'],
    [{ status: 404, body: { error: 'There is no such log file.' } }, 'There is no such log file.'],
  ] as const)('that fails is an alert: %j', async (answer, message) => {
    const dialog = await ask();
    server.answers[CLEAR] = answer;
    await userEvent.click(within(dialog).getByRole('button', { name: 'Clear' }));
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    expect((await lines()).textContent).toBe('one\ntwo\n');
  });
});

describe('downloading', () => {
  test('fetches with the token and has the browser save it under its name', async () => {
    await show();
    server.answers[DOWNLOAD] = { text: 'all of it\n' };
    const saved: { name: string; url: string }[] = [];
    const click = spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      saved.push({ name: this.download, url: this.href });
    });
    await userEvent.click(screen.getByRole('button', { name: 'Download bellbird.log' }));
    await waitFor(() =>
      expect(saved).toEqual([{ name: 'bellbird.log', url: expect.stringMatching(/^blob:/) }]),
    );
    expect(server.to('/api/admin/logs/bellbird.log/download')[0]?.authorization).toBe('t');
    click.mockRestore();
  });

  test.each([
    { status: 500, body: {} },
    { status: 502, text: '<html>' },
    { status: 404, body: { error: 'There is no such log file.' } },
    'offline',
  ] as const)('that fails is an alert: %j', async (answer) => {
    await show();
    server.answers[DOWNLOAD] = answer;
    await userEvent.click(screen.getByRole('button', { name: 'Download bellbird.log' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to download log');
  });
});
