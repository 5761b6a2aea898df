import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { act } from '@testing-library/react';
import { onReconnect } from '#web/shared/onReconnect.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { startSettings } from '#web/shared/settings.ts';
import { liveByHand } from '#support/liveByHand.ts';
import { pageApi } from '#support/fakeApi.ts';

const server = pageApi(() => ({ 'GET /api/settings': 'offline' }));
let live: ReturnType<typeof liveByHand>;
let stopSettings: () => void;
const online = () => act(() => void window.dispatchEvent(new Event('online')));
const settled = () => act(() => new Promise((done) => setTimeout(done, 5)));

beforeEach(() => {
  live = liveByHand();
  stopSettings = startSettings();
});
afterEach(() => {
  window.dispatchEvent(new Event('online'));
  live.stop();
  stopSettings();
});

test('a callback runs once when the browser or the stream reconnects', async () => {
  live.connect('live');
  let times = 0;
  const run = () => (times += 1);
  onReconnect(run);
  onReconnect(run);
  live.connect('live');
  await settled();
  expect(times).toBe(0);
  live.connect('reconnecting');
  live.connect('live');
  await settled();
  expect(times).toBe(1);
});

test('a reconnection during the run counts once', async () => {
  live.connect('live');
  let times = 0;
  const run = () => (times += 1);
  onReconnect(run);
  online();
  expect(times).toBe(1);
  // The stream returns during the first attempt, which then fails.
  live.connect('reconnecting');
  live.connect('live');
  await settled();
  expect(times).toBe(1);
  onReconnect(run);
  await settled();
  expect(times).toBe(2);
  onReconnect(run);
  await settled();
  expect(times).toBe(2);
  online();
  expect(times).toBe(3);
});

test('a failure while the browser reports being online is retried after 3, 10 and 30 s', async () => {
  jest.useFakeTimers();
  let times = 0;
  const run = () => {
    times += 1;
    if (times < 4) onReconnect(run);
  };
  onReconnect(run);
  online();
  expect(times).toBe(1);
  jest.advanceTimersByTime(2999);
  expect(times).toBe(1);
  jest.advanceTimersByTime(1);
  expect(times).toBe(2);
  jest.advanceTimersByTime(7000);
  expect(times).toBe(3);
  jest.advanceTimersByTime(20_000);
  expect(times).toBe(4);
  jest.useRealTimers();
});

test('nothing is requested for a user who has logged out', async () => {
  startSession({ accessToken: 't', accessLevel: 2 });
  await settled();
  endSession();
  const before = server.to('/api/settings').length;
  online();
  await settled();
  expect(server.to('/api/settings')).toHaveLength(before);
});
