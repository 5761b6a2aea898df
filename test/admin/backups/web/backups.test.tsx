import { describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BackupControls } from '#admin/backups/web/shared/BackupControls.tsx';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { results } from '#support/axe.ts';
import { adminApi, rowsOf } from '#support/adminApi.ts';

const LIST = 'GET /api/admin/backups';
const MAKE = 'POST /api/admin/backups';
const NAME = 'nightly-2026-11-22T16-12-00-000Z.db';
const ASK = `POST /api/admin/backups/${NAME}/download`;

const aView = (change: Record<string, unknown> = {}) => ({
  backups: [
    { name: NAME, kind: 'nightly', size: 12_345_678, madeAt: Date.UTC(2025, 10, 22, 16, 12), checked: true },
    { name: 'before-0009_x.db', kind: 'migration', size: 900, madeAt: Date.UTC(2025, 10, 1), checked: false },
  ],
  running: null,
  failure: null,
  disk: { free: 12.4 * 1024 ** 3, low: false },
  nextNightly: Date.UTC(2026, 10, 23, 16, 10),
  ...change,
});

const server = adminApi(() => ({ [LIST]: { body: aView() } }));

const show = async () => {
  render(<BackupControls />);
  await screen.findByRole('button', { name: 'Back up now' });
};
const rows = () => rowsOf('Backups');

describe('the list', () => {
  test('shows when each backup was made, its kind and whether it was checked', async () => {
    await show();
    const shown = rows().map(([made, , ...rest]) => [made, ...rest]);
    expect(shown).toEqual([
      ['23 Nov 2025 03:12', 'Nightly', '12 MB', 'Checked', 'Download'],
      ['1 Nov 2025 11:00', 'Before an update', '900 B', 'Not checked', 'Download'],
    ]);
    expect(document.body.textContent).toMatch(/Next: 24 Nov(?: 2026)? 03:10 Sydney/);
    expect(document.body.textContent).toContain('12 GB free on the disk');
    expect(screen.queryByRole('status')).toBeNull();
    expect(await results(document.body)).toEqual([]);
  });

  test('warns about a low disk and a failed backup', async () => {
    server.answers[LIST] = {
      body: aView({
        disk: { free: 430 * 1024 ** 2, low: true },
        failure: { at: Date.UTC(2025, 10, 22, 16, 15), reason: 'There is not enough room.' },
      }),
    };
    await show();
    const warnings = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(warnings).toEqual([
      'The disk is almost full: 430 MB left. Once it is full, nothing can be saved. Delete files you don’t need.',
      'The last backup failed on 23 Nov 2025 03:15 Sydney. There is not enough room.',
    ]);
  });
});

test('the target shows its last arrival, and marks a backup that is older than the setting allows', async () => {
  const HOUR = 3_600_000;
  const target = (change: Record<string, unknown> = {}) => ({
    where: 'the folder /mnt/nas',
    encrypted: true,
    keptLocally: true,
    kept: 14,
    last: null,
    ...change,
  });
  const sent = (age: number) => ({ name: NAME, size: 12_345_678, sentAt: Date.now() - age });
  const facts = () =>
    Object.fromEntries(
      screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
  const showTarget = async (change: Record<string, unknown>, view: Record<string, unknown> = {}) => {
    server.answers[LIST] = { body: aView({ target: target(change), ...view }) };
    await show();
  };

  await showTarget({ last: sent(5 * HOUR) });
  expect(facts()['Last sent']).toMatch(/ Sydney \(5 hours ago\), 12 MB, verified$/);
  cleanup();
  await showTarget({ last: sent(72 * HOUR) });
  expect(facts()['Last sent']).toEndWith('verified Too old');
  expect(await results(document.body)).toEqual([]);
  cleanup();
  await showTarget({ last: sent(72 * HOUR) }, { everyDays: 7 });
  expect(facts()['Last sent']).toEndWith('(3 days ago), 12 MB, verified');
  expect(document.body.textContent).toContain('made every 7 nights.');
});

test('Back up now shows its progress, then the new backup', async () => {
  await show();
  server.answers[MAKE] = { body: { success: true } };
  server.answers[LIST] = {
    body: aView({ running: { kind: 'manual', startedAt: 1, progress: 0.42 }, backups: [] }),
  };
  await userEvent.click(screen.getByRole('button', { name: 'Back up now' }));
  const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Backup' });
  expect(bar.value).toBe(0.42);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Backing up…' }).disabled).toBe(true);
  server.answers[LIST] = { body: aView() };
  await waitFor(() => expect(rows()).toHaveLength(2), { timeout: 5000 });
  expect(screen.queryByRole('progressbar')).toBeNull();
});

describe('Download', () => {
  const open = async () => {
    await show();
    await userEvent.click(screen.getByRole('button', { name: `Download ${NAME}` }));
    return screen.findByLabelText<HTMLInputElement>('Your password');
  };
  const send = () =>
    userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Download' }));

  test('asks for the password, then lets the browser save the file', async () => {
    const clicked: string[] = [];
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      clicked.push(this.getAttribute('href') ?? '');
    };
    try {
      const box = await open();
      expect(document.activeElement).toBe(box);
      expect([box.type, box.autocomplete]).toEqual(['password', 'current-password']);
      server.answers[ASK] = { body: { url: '/api/backup-download?ticket=abc' } };
      await userEvent.type(box, 'secret{Enter}');
      await waitFor(() => expect(clicked).toEqual(['/api/backup-download?ticket=abc']));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(server.calls.at(-1)?.body).toEqual({ password: 'secret' });
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
  });

  test('shows a wrong password at its field, stays open and ends no session', async () => {
    const box = await open();
    server.answers[ASK] = { status: 400, body: { error: 'That is not your password.', field: 'password' } };
    await userEvent.type(box, 'wrong');
    await send();
    await waitFor(() => expect(box.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByRole('dialog').textContent).toContain('That is not your password.');
    expect(document.activeElement).toBe(box);
    expect(session.peek().isAuthenticated).toBe(true);
  });

  test('does not follow an address of another server', async () => {
    const box = await open();
    server.answers[ASK] = { body: { url: 'https://elsewhere.example/api/' } };
    await userEvent.type(box, 'right');
    await send();
    expect((await screen.findByRole('alert')).textContent).toContain('Network error');
  });
});
