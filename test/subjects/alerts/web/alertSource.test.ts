import { expect, test } from 'bun:test';
import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import { ASK_EVERY_MS, SharedStream } from '#web/live/stream/sharedStream.ts';
import type { FromWindow, ToWindow } from '#web/live/stream/protocol.ts';
import { EVERYTHING } from '#web/live/stream/view.ts';
import { fakeSources, fakeTimers } from '#support/fakeEventSource.ts';

const session = (token: string | null, lastEventId = ''): FromWindow => ({
  type: 'session',
  token,
  lastEventId,
});
const FIRED = { alertId: 3, timestamp: '2026-11-20T00:30:00.000Z', deactivated: true };

/** The worker that holds both streams, and the windows that join it. */
function setUp() {
  const sources = fakeSources();
  const timers = fakeTimers();
  const holder = new SharedStream(
    { ...timers, openSource: sources.open, random: () => 1 },
    () => createOverviews,
  );
  const join = () => {
    const got: ToWindow[] = [];
    const send = holder.join((message) => got.push(message), {
      type: 'watch',
      watch: EVERYTHING,
      version: 1,
    });
    const alerts = () => got.filter((message) => message.type === 'alert');
    const connections = () =>
      got.flatMap((message) => (message.type === 'alertConnection' ? [message.connection] : []));
    const places = () =>
      got.flatMap((message) => (message.type === 'alertConnection' ? [message.lastEventId] : []));
    return { tell: send, alerts, connections, places };
  };
  const streams = () => sources.made.filter(({ url }) => url.startsWith('/api/user/alerts/stream'));
  const stream = () => {
    const last = streams().at(-1);
    if (!last) throw new Error('No alert stream was opened.');
    return last;
  };
  return { join, timers, streams, stream };
}

test('the alert stream opens only with a token, closes without one, and reopens for another', () => {
  const { join, streams, stream } = setUp();
  const { tell: send, alerts } = join();
  expect(streams()).toEqual([]);
  send(session(null));
  expect(streams()).toEqual([]);
  send(session('a.b+c'));
  expect(stream().url).toBe('/api/user/alerts/stream?token=a.b%2Bc');
  send(session('a.b+c'));
  expect(streams()).toHaveLength(1);
  const old = stream();
  old.send('alert_triggered', FIRED, 'r-7');
  expect(alerts()).toHaveLength(1);
  send(session('other'));
  // Events of the previous user are not delivered, and the new stream does not resume from them.
  old.send('alert_triggered', FIRED, '8');
  old.fail('gone');
  expect(alerts()).toHaveLength(1);
  expect(streams().map(({ closed }) => closed)).toEqual([true, false]);
  expect(stream().url).toBe('/api/user/alerts/stream?token=other');
  send(session(null));
  expect(stream().closed).toBe(true);
  expect(streams()).toHaveLength(2);
});

test('the alert stream is shared by all windows; the most recently active one leads', () => {
  const { join, streams, stream } = setUp();
  const [first, second, third] = [join(), join(), join()];
  for (const { tell: send } of [first, second, third, second]) send(session('t'));
  expect(streams()).toHaveLength(1);
  stream().send('alert_triggered', FIRED, '7');
  const counts = [first, second, third].map(({ alerts }) => alerts());
  for (const messages of counts) {
    expect(messages).toMatchObject([{ name: 'alert_triggered', data: JSON.stringify(FIRED), id: '7' }]);
  }
  expect(counts.flat().map((message) => message.isLead)).toEqual([false, true, false]);
});

test('the alert stream reopens within 10 s after 45 s of silence, from its last event', () => {
  const { join, timers, streams, stream } = setUp();
  const { tell: send, connections } = join();
  send(session('t'));
  stream().open();
  stream().send('alert_triggered', FIRED, 'r-7');
  timers.pass(44_000);
  stream().send('ping', {});
  timers.pass(45_000);
  expect(streams()).toHaveLength(1);
  timers.pass(10_001);
  expect(streams().map(({ closed }) => closed)).toEqual([true, false]);
  expect(stream().url).toBe('/api/user/alerts/stream?token=t&lastEventId=r-7');
  expect(connections()).toEqual(['connecting', 'live', 'reconnecting']);
});

test('the alert stream tells windows its position even without triggers, and new windows the connection state', () => {
  const { join, timers, stream } = setUp();
  const { tell: send, places } = join();
  send(session('t', 'r-7'));
  expect(stream().url).toBe('/api/user/alerts/stream?token=t&lastEventId=r-7');
  stream().open();
  stream().send('ping', {}, '41');
  stream().send('ping', {});
  expect(places()).toEqual(['r-7', 'r-7', '41']);
  const later = join();
  later.tell(session('t'));
  expect(later.connections()).toEqual(['live']);
  timers.pass(56_000);
  expect(stream().url).toBe('/api/user/alerts/stream?token=t&lastEventId=41');
});

test('the alert stream ends with the last window, and resumes when one returns', () => {
  const { join, timers, streams, stream } = setUp();
  const { tell: send } = join();
  send(session('t'));
  stream().send('alert_triggered', FIRED, 'r-7');
  // The window sleeps and does not answer the checks.
  timers.pass(ASK_EVERY_MS * 5);
  expect(stream().closed).toBe(true);
  const before = streams().length;
  send({ type: 'here' });
  expect(streams()).toHaveLength(before + 1);
  expect(stream().url).toBe('/api/user/alerts/stream?token=t&lastEventId=r-7');
});
