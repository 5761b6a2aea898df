import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RecordingControls } from '../../../../src/admin/server/web/RecordingControls.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const LIST = 'GET /api/admin/recordings';
const PLAY = 'POST /api/admin/recordings/Monday/play';
const HEALTH = 'GET /healthz';

const aRow = (name: string, problem: string | null = null) => ({
  ...{ name, size: 38_000_000, date: '2026-01-19', source: 'Simulated', from: 0, until: 1 },
  ...{ isCutOff: false, problem },
});
const aView = (change: Record<string, unknown> = {}) => ({
  recordings: [aRow('Monday'), aRow('odd', 'The file is not a Bellbird recording.')],
  ...{ running: null, failure: null, disk: { free: null, low: false }, suggestion: '2026-01-20' },
  ...{ playing: null, noPlay: null },
  ...change,
});
const process = (pid: number) => ({ body: { ok: true, pid, commit: 'abc1234', startedAt: pid } });

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({ [LIST]: { body: aView() }, [HEALTH]: process(10) });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const sent = (request: string) =>
  server.calls.filter(({ method, path }) => `${method} ${path}` === request).length;
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const answer = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

test('a recording is played after a question that says what happens, and the panel waits for the server', async () => {
  let backs = 0;
  const onBack = () => Promise.resolve(void (backs += 1));
  render(<RecordingControls onBack={onBack} />);
  await press('Play Monday');
  const dialog = await screen.findByRole('dialog', { name: 'Play the recording to everybody?' });
  expect(dialog.textContent).toContain('everybody sees Monday from its start instead of the market');
  expect(dialog.textContent).toContain('Alerts watch the recording meanwhile');
  // Nothing is lost by it.
  expect(within(dialog).getByRole('button', { name: 'Play' }).classList.contains('button-danger')).toBe(
    false,
  );
  expect(sent(PLAY)).toBe(0);
  server.answers[PLAY] = { body: { success: true, name: 'Monday' } };
  await answer('Play');
  await screen.findByText('Waiting for server to come back…');
  expect(sent(PLAY)).toBe(1);
  expect(screen.queryByRole('button', { name: 'Play Monday' })).toBeNull();
  server.answers[HEALTH] = process(11);
  const playing = { name: 'Monday', instead: 'the live market of TradingView' };
  server.answers[LIST] = { body: aView({ playing }) };
  await screen.findByText('Back online', undefined, { timeout: 5000 });
  await screen.findByText('Everybody sees the recording Monday.');
  expect(backs).toBe(1);
  expect(screen.queryByRole('button', { name: 'Play Monday' })).toBeNull();
  expect(await findings(document.body)).toEqual([]);
});

test('what can not be played is not offered, and a recording under way is said to end', async () => {
  const running = { name: 'Now', date: '2026-01-20', from: 0, until: 1, size: 1 };
  server.answers[LIST] = { body: aView({ running }) };
  render(<RecordingControls />);
  await press('Play Monday');
  expect(screen.getByRole('dialog').textContent).toContain('The recording under way, Now, stops.');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Play odd' })).toBeNull();
  cleanup();
  server.answers[LIST] = { body: aView({ noPlay: 'The settings name a recording themselves.' }) };
  render(<RecordingControls />);
  await screen.findByText('The settings name a recording themselves.');
  expect(screen.queryByRole('button', { name: 'Play Monday' })).toBeNull();
});
