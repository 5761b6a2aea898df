import { afterEach, describe, expect, jest, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { ServerControls } from '#admin/server/web/ServerControls.tsx';
import { isOther, POLL_MS } from '#admin/web/parts/ServerReturn.tsx';
import { adminApi, settle } from '#support/adminApi.ts';

const INFO = 'GET /api/admin/server/info';
const RESTART = 'POST /api/admin/server/restart';
const HEALTH = 'GET /healthz';

const OLD = { ok: true, pid: 10, commit: 'abc1234', startedAt: 1000 };
const RUNNING = {
  pid: 4711,
  node: 'Bun 1.4.5, linux arm64',
  branch: null,
  commit: 'abc1234',
  uptimeSec: 90,
  version: '0.1.0',
  startedAt: 1_795_136_400_000,
  supervisor: 'parent',
  noRestart: null,
  onTrial: false,
};
const info = (more: object = {}) => ({ body: { ...RUNNING, ...more } });

const server = adminApi(() => ({
  [INFO]: info(),
  [HEALTH]: { body: OLD },
  [RESTART]: { body: { restarting: true } },
}));
afterEach(() => void jest.useRealTimers());

const shown = () =>
  Object.fromEntries(
    [...document.querySelectorAll('.fact-list > div')].map((line) => [
      line.querySelector('dt')?.textContent,
      line.querySelector('dd')?.textContent,
    ]),
  );
const restartButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Restart' });
const poll = async () => {
  act(() => void jest.advanceTimersByTime(POLL_MS));
  await settle();
};

/** Presses Restart and confirms; time does not advance afterwards. */
async function restart(): Promise<void> {
  const button = await restartButton();
  jest.useFakeTimers({ now: Date.now() });
  await act(async () => button.click());
  expect(screen.getByText('Restart the server?')).toBeTruthy();
  expect(server.to('/api/admin/server/restart')).toEqual([]);
  const dialog = document.querySelector('dialog, [role="dialog"], [role="alertdialog"]');
  const confirm = [...(dialog?.querySelectorAll('button') ?? [])].find(
    (candidate) => candidate.textContent === 'Restart',
  );
  await act(async () => confirm?.click());
  await settle();
}

test('a server without a supervisor offers no restart and says why', async () => {
  server.answers[INFO] = info({ noRestart: 'Nothing would start the server again.' });
  render(<ServerControls />);
  await screen.findByText('Nothing would start the server again.');
  expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull();
});

describe('a restart', () => {
  test('waits until another process answers, not the old one', async () => {
    render(<ServerControls />);
    await restart();
    expect(server.to('/api/admin/server/restart')).toHaveLength(1);
    expect(screen.getByText('Waiting for server to come back…')).toBeTruthy();
    await poll();
    expect(screen.getByText('Waiting for server to come back…')).toBeTruthy();
    server.answers[HEALTH] = { status: 503, body: { error: 'Bellbird is starting again.' } };
    await poll();
    server.answers[HEALTH] = 'offline';
    await poll();
    server.answers[HEALTH] = { body: { ...OLD, startedAt: 9000 } };
    server.answers[INFO] = info({ pid: 12 });
    await poll();
    expect(screen.getByText('Back online')).toBeTruthy();
    await settle();
    expect(shown()).toMatchObject({ PID: '12' });
  });

  test('of a young server is recognised by an uptime shorter than the elapsed time', () => {
    const askedAt = 10_000;
    const before = { pid: null, commit: null, startedAt: null, uptimeSec: 3, askedAt };
    const after = { ...before, uptimeSec: 7, askedAt: askedAt + 12_000 };
    expect(isOther(before, after)).toBe(true);
    expect(isOther(before, { ...after, uptimeSec: 14 })).toBe(false);
  });

  test.each([
    ['refused', { status: 409, body: { error: 'An update is under way.' } }, 'An update is under way.'],
    ['not confirmed', { body: {} }, 'Restart endpoint did not confirm action.'],
  ])('that is %s says so and does not wait', async (_, reply, sentence) => {
    server.answers[RESTART] = reply;
    render(<ServerControls />);
    await restart();
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByText('Waiting for server to come back…')).toBeNull();
  });
});
