import { describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fromSydney } from '#lib/sydneyTime.ts';
import { RecordingControls } from '#admin/recordings/web/shared/RecordingControls.tsx';
import { results } from '#support/axe.ts';
import { adminApi, rowsOf } from '#support/adminApi.ts';

const LIST = 'GET /api/admin/recordings';
const START = 'POST /api/admin/recordings';
const STOP = 'POST /api/admin/recordings/stop';
const PLAY = 'POST /api/admin/recordings/Monday/play';
const HEALTH = 'GET /healthz';
const DATE = '2026-01-19';
const REMOVE = `DELETE /api/admin/recordings/${DATE}`;
const ASK = `POST /api/admin/recordings/${DATE}/download`;

const aRecording = (change: Record<string, unknown> = {}) => ({
  name: DATE,
  size: 38_000_000,
  date: DATE,
  source: 'Simulated',
  isCutOff: false,
  problem: null,
  from: fromSydney(DATE, 7, 0),
  until: fromSydney(DATE, 16, 30),
  ...change,
});
const aView = (change: Record<string, unknown> = {}) => ({
  recordings: [],
  running: null,
  failure: null,
  suggestion: '2026-01-20',
  playing: null,
  noPlay: null,
  disk: { free: 12.4 * 1024 ** 3, low: false },
  ...change,
});
const isRunning = aView({
  running: aRecording({ name: '2026-01-20', size: 117_000, from: fromSydney('2026-01-20', 11, 2) }),
});
/** One recording that can be played and one that cannot. */
const playable = (change: Record<string, unknown> = {}) =>
  aView({
    recordings: [
      aRecording({ name: 'Monday' }),
      aRecording({ name: 'odd', problem: 'The file is not a Bellbird recording.' }),
    ],
    ...change,
  });
const process = (pid: number) => ({ body: { ok: true, pid, commit: 'abc1234', startedAt: pid } });

const server = adminApi(() => ({ [LIST]: { body: aView() }, [HEALTH]: process(10) }));

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const answer = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
const show = async (view: Record<string, unknown>) => {
  server.answers[LIST] = { body: view };
  render(<RecordingControls />);
  await screen.findByRole('table', { name: 'Recordings' });
};
const sent = (request: string) => server.calls.filter(({ method, path }) => `${method} ${path}` === request);

describe('the list of recordings', () => {
  test('is a table with span, source, size and problems', async () => {
    const cut = aRecording({ name: 'cut', isCutOff: true });
    const odd = aRecording({
      name: 'odd',
      date: null,
      source: null,
      from: null,
      until: null,
      problem: 'It is not a recording.',
    });
    await show(aView({ recordings: [aRecording(), cut, odd] }));
    expect(rowsOf('Recordings').map((cells) => cells.slice(0, 6))).toEqual([
      [DATE, 'Monday 19 January 2026', '07:00 to 16:30', 'Simulated', '36 MB', 'Complete'],
      [
        'cut',
        'Monday 19 January 2026',
        '07:00 to 16:30',
        'Simulated',
        '36 MB',
        'Incomplete: plays up to the cut',
      ],
      ['odd', '–', '–', '–', '36 MB', 'It is not a recording.'],
    ]);
    expect(await results(document.body)).toEqual([]);
  });

  test('starts a recording under the suggested name and stops it again', async () => {
    render(<RecordingControls />);
    server.answers[START] = { body: isRunning };
    await screen.findByText('No recordings yet.');
    server.answers[LIST] = { body: isRunning };
    await press('Record');
    expect((await screen.findByText(/^Recording 2026-01-20/)).textContent).toBe(
      'Recording 2026-01-20 since 11:02 in Sydney, 114 KB on the disk.',
    );
    expect(sent(START)[0]?.body).toEqual({ name: '2026-01-20' });
    expect(screen.queryByText('No recordings yet.')).toBeNull();
    server.answers[STOP] = { body: aView() };
    server.answers[LIST] = { body: aView({ recordings: [aRecording({ name: '2026-01-20' })] }) };
    await press('Stop recording');
    await screen.findByRole('table', { name: 'Recordings' });
    await screen.findByRole('button', { name: 'Record' });
  });

  test('deletes one only after confirmation, and shows why a download failed', async () => {
    await show(aView({ recordings: [aRecording()] }));
    server.answers[ASK] = { status: 404, body: { error: 'The recording is gone.' } };
    await press(`Download ${DATE}`);
    await screen.findByText('The recording is gone.');
    await press(`Delete ${DATE}`);
    const dialog = screen.getByRole('dialog');
    expect(sent(REMOVE)).toEqual([]);
    server.answers[REMOVE] = { body: aView() };
    server.answers[LIST] = { body: aView() };
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent(REMOVE)).toHaveLength(1));
    await screen.findByText('No recordings yet.');
  });
});

describe('a played recording', () => {
  test('playing a recording is confirmed first, and the panel waits for the server', async () => {
    let backs = 0;
    const onBack = () => Promise.resolve(void (backs += 1));
    server.answers[LIST] = { body: playable() };
    render(<RecordingControls onBack={onBack} />);
    await press('Play Monday');
    const dialog = await screen.findByRole('dialog', { name: 'Play the recording to all users?' });
    expect(dialog.textContent).toContain('all users see Monday from its start instead of the market');
    expect(dialog.textContent).toContain('Alerts watch the recording, and their messages');
    // Playing loses no data.
    expect(within(dialog).getByRole('button', { name: 'Play' }).classList.contains('button-danger')).toBe(
      false,
    );
    expect(sent(PLAY)).toEqual([]);
    server.answers[PLAY] = { body: { success: true, name: 'Monday' } };
    await answer('Play');
    await screen.findByText('Waiting for server to come back…');
    expect(sent(PLAY)).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Play Monday' })).toBeNull();
    server.answers[HEALTH] = process(11);
    const playing = { name: 'Monday', instead: 'the live market of TradingView' };
    server.answers[LIST] = { body: playable({ playing }) };
    await screen.findByText('Back online', undefined, { timeout: 5000 });
    await screen.findByText('All users see the recording Monday.');
    expect(backs).toBe(1);
    expect(screen.queryByRole('button', { name: 'Play Monday' })).toBeNull();
    expect(await results(document.body)).toEqual([]);
  });

  test('Play is not offered for an unplayable recording, and a running recording is announced to end', async () => {
    const running = { name: 'Now', date: '2026-01-20', from: 0, until: 1, size: 1 };
    server.answers[LIST] = { body: playable({ running }) };
    render(<RecordingControls />);
    await press('Play Monday');
    expect(screen.getByRole('dialog').textContent).toContain('The current recording, Now, stops.');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Play odd' })).toBeNull();
    cleanup();
    server.answers[LIST] = { body: playable({ noPlay: 'The settings name a recording themselves.' }) };
    render(<RecordingControls />);
    await screen.findByText('The settings name a recording themselves.');
    expect(screen.queryByRole('button', { name: 'Play Monday' })).toBeNull();
  });
});
