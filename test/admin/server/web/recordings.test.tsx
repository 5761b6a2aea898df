import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { RecordingControls } from '../../../../src/admin/server/web/RecordingControls.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const LIST = 'GET /api/admin/recordings';
const START = 'POST /api/admin/recordings';
const STOP = 'POST /api/admin/recordings/stop';
const DATE = '2026-01-19';
const REMOVE = `DELETE /api/admin/recordings/${DATE}`;
const ASK = `POST /api/admin/recordings/${DATE}/download`;

const aRecording = (change: Record<string, unknown> = {}) => ({
  name: DATE,
  size: 38_000_000,
  date: DATE,
  source: 'Simulated',
  from: fromSydney(DATE, 7, 0),
  until: fromSydney(DATE, 16, 30),
  isCutOff: false,
  problem: null,
  ...change,
});
const aView = (change: Record<string, unknown> = {}) => ({
  recordings: [],
  running: null,
  failure: null,
  disk: { free: 12.4 * 1024 ** 3, low: false },
  suggestion: '2026-01-20',
  ...change,
});
const isRunning = aView({
  running: aRecording({ name: '2026-01-20', size: 117_000, from: fromSydney('2026-01-20', 11, 2) }),
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

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const show = async (view: Record<string, unknown>) => {
  server.answers[LIST] = { body: view };
  render(<RecordingControls />);
  await screen.findByRole('table', { name: 'Recordings' });
};

const isRemoved = () => server.calls.some(({ method, path }) => `${method} ${path}` === REMOVE);

describe('the recordings', () => {
  test('stand in a table with span, source, size and what is wrong with them', async () => {
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
    const rows = within(screen.getByRole('table', { name: 'Recordings' }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].slice(0, 6).map((cell) => cell.textContent));
    expect(rows).toEqual([
      [DATE, 'Monday 19 January 2026', '07:00 to 16:30', 'Simulated', '36 MB', 'Complete'],
      ['cut', 'Monday 19 January 2026', '07:00 to 16:30', 'Simulated', '36 MB', 'Cut off: plays up to there'],
      ['odd', '–', '–', '–', '36 MB', 'It is not a recording.'],
    ]);
    expect(await findings(document.body)).toEqual([]);
  });

  test('one is begun under the suggested name and stopped again', async () => {
    render(<RecordingControls />);
    server.answers[START] = { body: isRunning };
    await screen.findByText('No recordings yet.');
    server.answers[LIST] = { body: isRunning };
    await press('Record');
    expect((await screen.findByText(/^Recording 2026-01-20/)).textContent).toBe(
      'Recording 2026-01-20 since 11:02 in Sydney, 114 KB on the disk.',
    );
    expect(server.calls.find(({ method, path }) => `${method} ${path}` === START)?.body).toEqual({
      name: '2026-01-20',
    });
    expect(screen.queryByText('No recordings yet.')).toBeNull();
    server.answers[STOP] = { body: aView() };
    server.answers[LIST] = { body: aView({ recordings: [aRecording({ name: '2026-01-20' })] }) };
    await press('Stop recording');
    await screen.findByRole('table', { name: 'Recordings' });
    await screen.findByRole('button', { name: 'Record' });
  });

  test('one is deleted only after a question, and a download that fails says why', async () => {
    await show(aView({ recordings: [aRecording()] }));
    server.answers[ASK] = { status: 404, body: { error: 'The recording is gone.' } };
    await press(`Download ${DATE}`);
    await screen.findByText('The recording is gone.');
    await press(`Delete ${DATE}`);
    const dialog = screen.getByRole('dialog');
    expect(isRemoved()).toBe(false);
    server.answers[REMOVE] = { body: aView() };
    server.answers[LIST] = { body: aView() };
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(isRemoved()).toBe(true));
    await screen.findByText('No recordings yet.');
  });
});
