import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BackupControls, ageText } from '../../../../src/admin/server/web/BackupControls.tsx';
import {
  endSession,
  session,
  startSession,
} from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const LIST = 'GET /api/admin/backups';
const MAKE = 'POST /api/admin/backups';
const NAME = 'nightly-2026-11-22T16-12-00-000Z.db';
const ASK = `POST /api/admin/backups/${NAME}/download`;

const aView = (change: Record<string, unknown> = {}) => ({
  backups: [
    { name: NAME, kind: 'nightly', size: 12_345_678, madeAt: Date.UTC(2025, 10, 22, 16, 12), checked: true },
    {
      name: 'before-0009_x-2026-11-01T00-00-00-000Z.db',
      kind: 'migration',
      size: 900,
      madeAt: Date.UTC(2025, 10, 1),
      checked: false,
    },
  ],
  running: null,
  failure: null,
  disk: { free: 12.4 * 1024 ** 3, low: false },
  nextNightly: Date.UTC(2026, 10, 23, 16, 10),
  ...change,
});

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({ [LIST]: { body: aView() } });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const show = async () => {
  render(<BackupControls />);
  await screen.findByRole('button', { name: 'Back up now' });
};
const rows = () =>
  within(screen.getByRole('table', { name: 'Backups' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

describe('the list', () => {
  test('says of each backup when it was made, of what kind it is and whether it was checked', async () => {
    await show();
    const shown = rows().map(([made, , ...rest]) => [made, ...rest]);
    expect(shown).toEqual([
      ['23 Nov 2025 03:12', 'Nightly', '12 MB', 'Checked', 'Download'],
      ['1 Nov 2025 11:00', 'Before a new version', '900 B', 'Not checked', 'Download'],
    ]);
    expect(document.body.textContent).toMatch(/Next one 24 Nov(?: 2026)? 03:10 Sydney/);
    expect(document.body.textContent).toContain('12 GB free on the disk');
    expect(screen.queryByRole('status')).toBeNull();
    expect(await findings(document.body)).toEqual([]);
  });

  test('is grey while it loads, a sentence when it is empty, and says why it could not be loaded', async () => {
    server.answers[LIST] = { status: 500, body: { error: 'The disk can not be read.' } };
    render(<BackupControls />);
    expect(screen.getByRole('status', { name: 'Loading backups…' })).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('The disk can not be read.');
    server.answers[LIST] = { body: aView({ backups: [] }) };
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('No backups yet.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('warns of a low disk and of a backup that failed', async () => {
    server.answers[LIST] = {
      body: aView({
        disk: { free: 430 * 1024 ** 2, low: true },
        failure: { at: Date.UTC(2025, 10, 22, 16, 15), reason: 'There is not enough room.' },
      }),
    };
    await show();
    const warnings = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(warnings).toEqual([
      'The disk is almost full: 430 MB left. Once it is full, nothing can be saved. Delete what you don’t need.',
      'The last backup failed on 23 Nov 2025 03:15 Sydney. There is not enough room.',
    ]);
  });

  test('shows of an answer of another version what it can', async () => {
    server.answers[LIST] = {
      body: { backups: [{ name: 'a.db', madeAt: '2026-11-01T00:00:00Z' }, null, {}] },
    };
    await show();
    expect(rows()).toHaveLength(1);
  });

  test.each([
    [-5000, 'less than an hour'],
    [-3_600_000, 'ahead of the clock'],
    [3_600_000, '1 hour'],
    [47 * 3_600_000, '47 hours'],
    [72 * 3_600_000, '3 days'],
  ])('an age of %p ms is %p', (ms, text) => expect(ageText(ms)).toBe(text));
});

describe('the backup target', () => {
  const HOUR = 3_600_000;
  const target = (change: Record<string, unknown> = {}) => ({
    ...{ where: 'the folder /mnt/nas', encrypted: true, keptLocally: true, kept: 14, last: null },
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

  test('is not spoken of where there is none', async () => {
    await show();
    expect(screen.queryByRole('term')).toBeNull();
  });

  test('that has none yet says so', async () => {
    await showTarget({});
    expect(facts()).toEqual({
      'Also sent to': 'the folder /mnt/nas',
      Encrypted: 'Yes',
      'Kept there': 'The newest 14',
      'Kept here': 'Yes',
      'Last sent': 'None yet',
    });
  });

  test('says what arrived last and when; what is too old for the setting is marked', async () => {
    await showTarget({ last: sent(5 * HOUR) });
    expect(facts()['Last sent']).toMatch(/ Sydney \(5 hours ago\), 12 MB, read again$/);
    cleanup();
    await showTarget({ last: sent(72 * HOUR) });
    expect(facts()['Last sent']).toEndWith('read again Too old');
    expect(await findings(document.body)).toEqual([]);
    cleanup();
    await showTarget({ last: sent(72 * HOUR) }, { everyDays: 7 });
    expect(facts()['Last sent']).toEndWith('(3 days ago), 12 MB, read again');
    expect(document.body.textContent).toContain('Made every 7 nights.');
  });

  test('that could not be reached is warned of, with what arrived before', async () => {
    const reason = 'It could not be sent. The folder /mnt/nas is not there.';
    await showTarget({ last: sent(30 * HOUR) }, { failure: { at: Date.UTC(2025, 10, 22, 16, 15), reason } });
    expect(screen.getByRole('status').textContent).toContain(reason);
    expect(facts()['Last sent']).toEndWith('Too old');
  });

  test('that needs attention though the backup arrived is warned of', async () => {
    const warning = 'Older files could not be removed there. The bucket lets nothing be removed.';
    await showTarget({ last: { ...sent(HOUR), warning } });
    expect(screen.getByRole('status').textContent).toBe(`The last backup arrived at the target. ${warning}`);
  });

  test('that keeps the only copies is said to', async () => {
    await showTarget({ keptLocally: false, last: sent(HOUR) }, { backups: [] });
    expect(facts()).toMatchObject({ 'Sent to': 'the folder /mnt/nas', 'Kept here': 'Until it is there' });
    expect(screen.getByText('No backups on this machine.')).toBeTruthy();
    expect(document.body.textContent).toContain('restore --from-target');
  });
});

describe('Back up now', () => {
  test('shows how far it is, then the new backup', async () => {
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

  test('that is refused says why', async () => {
    await show();
    server.answers[MAKE] = { status: 429, body: { error: 'You change the backups too often.' } };
    await userEvent.click(screen.getByRole('button', { name: 'Back up now' }));
    expect((await screen.findByRole('alert')).textContent).toContain('You change the backups too often.');
  });
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

  test('with a wrong password stays, says so at the box and ends no session', async () => {
    const box = await open();
    server.answers[ASK] = { status: 400, body: { error: 'That is not your password.', field: 'password' } };
    await userEvent.type(box, 'wrong');
    await send();
    await waitFor(() => expect(box.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByRole('dialog').textContent).toContain('That is not your password.');
    expect(document.activeElement).toBe(box);
    expect(session.peek().isAuthenticated).toBe(true);
  });

  test('goes to no address of another server', async () => {
    const box = await open();
    server.answers[ASK] = { body: { url: 'https://elsewhere.example/api/' } };
    await userEvent.type(box, 'right');
    await send();
    expect((await screen.findByRole('alert')).textContent).toContain('Network error');
  });
});
