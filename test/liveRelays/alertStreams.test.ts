import { expect, test } from 'bun:test';
import { eventText } from '#platform/sse/message.ts';
import type { HandPrimary } from '../support/handPrimary.ts';
import { relayFixture, type TestRelay } from '../support/relayFixture.ts';
import type { StreamClient } from '../support/streamClient.ts';
import { waitUntil } from '../support/waitUntil.ts';

const fixture = relayFixture();

const FAR = 4_000_000_000_000;

/** The primary’s answers to relays, set by the test; tokens are `<user>-<anything>`. */
type Answers = {
  opening(token: string, lastEventId: string | null): Promise<Response> | Response;
  good(token: string): boolean;
};

const userOf = (token: string): number => Number(token.split('-')[0]);

const openingOf = (token: string, more: object = {}): Response =>
  Response.json({
    userId: userOf(token),
    sessionId: token,
    audience: String(userOf(token)),
    expiresAt: FAR,
    messages: [eventText('ping', '7', { time: 1 })],
    ...more,
  });

/** A relay that serves, and its primary. */
async function begun(given: Partial<Answers> = {}) {
  const answers: Answers = { opening: (token) => openingOf(token), good: () => true, ...given };
  const { url: primaryUrl } = fixture.serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/relays/sessions') {
      const { tokens } = (await request.json()) as { tokens: string[] };
      return Response.json({ good: tokens.map(answers.good) });
    }
    if (pathname !== '/api/relays/alert-opening')
      return Response.json({ error: 'Passed on.' }, { status: 401 });
    const { token, lastEventId } = (await request.json()) as { token: string; lastEventId: string | null };
    return answers.opening(token, lastEventId);
  });
  const { primary, relayOf } = await fixture.begun();
  return { primary, relay: await relayOf({ primaryUrl }) };
}

const open = (relay: TestRelay, token: string, headers: Record<string, string> = {}): StreamClient =>
  relay.open('/api/user/alerts/stream', { 'accept-encoding': 'gzip', authorization: token, ...headers });

const namesOf = ({ events }: StreamClient): string[] => events.map(({ event }) => event);

const publish = (primary: HandPrimary, user: number, of: number): void =>
  primary.audience(String(user), 'alert_changed', null, { alertId: of, symbol: 'BHP' });

const MUCH = 160;

/** More for the first user than a connection and the relay buffer for one client: texts that do not compress. */
async function publishTooMuch(primary: HandPrimary): Promise<void> {
  for (let step = 1; step <= MUCH; step += 1) {
    const symbol = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex');
    primary.audience('1', 'alert_changed', null, { alertId: step, symbol });
    await primary.sent();
  }
}

const dataOf = ({ events }: StreamClient): unknown[] =>
  events
    .filter(({ event }) => event === 'alert_changed')
    .map(({ data }) => (data as { alertId: number }).alertId);

test('a stream of alerts on a relay begins with the primary’s answer, and continues with only its user’s alerts', async () => {
  const { primary, relay } = await begun();
  const [one, other] = [
    open(relay, '1-a'),
    relay.open('/api/user/alerts/stream?token=2-b', { 'accept-encoding': 'identity' }),
  ];
  for (const page of [one, other]) await page.until((client) => namesOf(client).includes('ping'));
  expect(one.events[0]).toEqual({ id: '7', event: 'ping', data: { time: 1 } });
  publish(primary, 1, 11);
  publish(primary, 2, 22);
  publish(primary, 1, 12);
  await one.until((client) => dataOf(client).length === 2);
  await other.until((client) => dataOf(client).length === 1);
  expect([dataOf(one), dataOf(other)]).toEqual([[11, 12], [22]]);
  expect(relay.health().relay.alertPages).toBe(2);
});

test('a stream of alerts on a relay loses nothing between the primary’s answer and its start', async () => {
  const { promise: asking, resolve: isAsked } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { primary, relay } = await begun({
    async opening(token) {
      const response = openingOf(token);
      isAsked();
      await answered;
      return response;
    },
  });
  const page = open(relay, '1-a');
  await asking;
  publish(primary, 1, 5);
  publish(primary, 2, 6);
  const { number } = primary.position;
  await waitUntil('the relay to have the messages', () => relay.health().relay.position?.number === number);
  answer();
  await page.until((client) => dataOf(client).length > 0);
  publish(primary, 1, 7);
  await page.until((client) => dataOf(client).length === 2);
  expect([namesOf(page)[0], dataOf(page)]).toEqual(['ping', [5, 7]]);
});

test('a stream of alerts on a relay ends when its login session ends, while others continue', async () => {
  const { primary, relay } = await begun({ good: (token) => token !== '1-gone' });
  const gone = open(relay, '1-gone');
  const stays = [open(relay, '1-stays'), open(relay, '2-other')];
  for (const page of [gone, ...stays]) await page.until((client) => namesOf(client).includes('ping'));
  primary.publish({ kind: 'sessions', userId: 1 });
  await gone.until((client) => client.finished());
  publish(primary, 1, 1);
  publish(primary, 2, 1);
  for (const page of stays) await page.until((client) => dataOf(client).length === 1);
  expect(dataOf(gone)).toEqual([]);
});

test('a stream of alerts on a relay ends if the session ended while it was opened', async () => {
  const { promise: asking, resolve: isAsked } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { primary, relay } = await begun({
    async opening(token) {
      isAsked();
      await answered;
      return openingOf(token);
    },
    good: () => false,
  });
  const page = open(relay, '1-a');
  await asking;
  primary.publish({ kind: 'sessions', userId: 1 });
  const { number } = primary.position;
  await waitUntil('the relay to have the message', () => relay.health().relay.position?.number === number);
  answer();
  await page.until((client) => client.finished());
});

test('a stream of alerts on a relay ends with a message if messages may have been missed', async () => {
  const { primary, relay } = await begun();
  const page = open(relay, '1-a');
  await page.until((client) => namesOf(client).includes('ping'));
  primary.skip();
  primary.tick();
  await page.until((client) => namesOf(client).includes('closing') && client.finished());
});

test('a stream of alerts on a relay that reads too slowly receives the current state from the primary, and then everything since', async () => {
  const named: (string | null)[] = [];
  const { primary, relay } = await begun({
    opening(token, lastEventId) {
      named.push(lastEventId);
      if (named.length === 1) return openingOf(token);
      return openingOf(token, { messages: [eventText('account_changed', '9', { accessLevel: 2 })] });
    },
  });
  const slow = open(relay, '1-a', { 'accept-encoding': 'identity', 'last-event-id': '4' });
  await slow.until((client) => namesOf(client).includes('ping'));
  slow.pause();
  await publishTooMuch(primary);
  slow.resume();
  let number = 1000;
  const timer = setInterval(() => publish(primary, 1, (number += 1)), 20);
  fixture.later(() => clearInterval(timer));
  // The message to read everything again, and then all later ones, without a gap.
  const since = (): unknown[] => dataOf(slow).slice(dataOf(slow).lastIndexOf(null) + 1);
  await slow.until((client) => dataOf(client).includes(null) && since().length >= 10);
  const [first] = since();
  expect(since()).toEqual(since().map((_, at) => Number(first) + at));
  const account = slow.events.findLast(({ event }) => event === 'account_changed');
  expect(account).toMatchObject({ id: '9', data: { accessLevel: 2 } });
  // Requested like a new one, because its position does not tell what it missed.
  expect(named.slice(0, 2)).toEqual(['4', null]);
});
