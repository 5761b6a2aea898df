import { beforeEach, expect, test } from 'bun:test';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { UpdateControls } from '#admin/updates/web/shared/UpdateControls.tsx';
import { adminApi } from '#support/adminApi.ts';

const STATE = 'GET /api/admin/server/update';
const CHECK = 'POST /api/admin/server/update/check';
const UPDATE = 'POST /api/admin/server/update-and-restart';
const HEALTH = 'GET /healthz';

const running = { version: '1.0.0', commit: 'aaaaaaaaaaaaaaaa' };
const idle = { installation: 'checkout', noUpdate: null, running, now: 60_000, update: null, offer: null };
const step = (name: string, outcome = 'done', more: object = {}) => ({
  name,
  outcome,
  startedAt: 10_000,
  endedAt: outcome === 'running' ? null : 13_200,
  detail: null,
  ...more,
});
const update = (phase: string, more: object = {}) => ({
  id: 'one',
  by: 'maggie',
  startedAt: 10_000,
  from: running,
  to: null,
  phase,
  steps: [step('Look for updates')],
  failure: null,
  logTail: [],
  ...more,
});

let backs = 0;
const onBack = async (): Promise<void> => {
  backs += 1;
};

const api = adminApi(() => ({
  [STATE]: { body: idle },
  [HEALTH]: { body: { ok: true, pid: 1, commit: 'a', startedAt: 1 } },
}));
beforeEach(() => {
  backs = 0;
});

const press = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));

async function confirmUpdate(): Promise<void> {
  await press('Update and Restart');
  await screen.findByText('Update and restart the server?');
  const buttons = await screen.findAllByRole('button', { name: 'Update and Restart', hidden: true });
  await userEvent.click(buttons.at(-1) as HTMLElement);
}

test('checking for updates lists the new commits', async () => {
  const commits = [{ commit: 'bbbbbbbbbbbb', subject: 'Add <b>a thing</b>', at: 1 }];
  api.answers[CHECK] = { body: { isNew: true, version: null, commit: 'bbbbbbbbbbbb', commits, count: 3 } };
  render(<UpdateControls onBack={onBack} />);
  await press('Check for updates');
  await screen.findByText(/is available: 3 new commits/);
  expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    'bbbbbbbb Add <b>a thing</b>',
    'and 2 more',
  ]);
});

test('Update and Restart shows the steps, waits for the next process and reports the result', async () => {
  api.answers[UPDATE] = () => {
    const steps = [step('Look for updates'), step('Build', 'running', { detail: 'compiling' })];
    api.answers[STATE] = { body: { ...idle, update: update('preparing', { steps }) } };
    // Only the members that the specification names.
    return { body: { updated: true, restarting: true, branch: 'main' } };
  };
  render(<UpdateControls onBack={onBack} />);
  await confirmUpdate();
  await screen.findByText('Update in progress');
  expect(screen.getAllByRole('listitem').at(-1)?.textContent).toBe('BuildRunning50 scompiling');
  expect(screen.getByRole('button', { name: 'Update and Restart' })).toHaveProperty('disabled', true);
  api.answers[STATE] = 'offline';
  await screen.findByText(ADMIN_MESSAGES.waitingForServer, {}, { timeout: 5000 });
  const to = { version: '1.0.0', commit: 'bbbbbbbbbbbb' };
  api.answers[STATE] = { body: { ...idle, running: to, update: update('healthy', { to }) } };
  api.answers[HEALTH] = { body: { ok: true, pid: 2, commit: 'b', startedAt: 2 } };
  await screen.findByText(ADMIN_MESSAGES.backOnline, {}, { timeout: 5000 });
  await screen.findByText('Updated to 1.0.0 (bbbbbbbb).', {}, { timeout: 5000 });
  expect(backs).toBeGreaterThan(0);
});
