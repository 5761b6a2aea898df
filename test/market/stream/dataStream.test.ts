import { afterEach, expect, test } from 'bun:test';
import { isSnapshot } from '../../support/streamEvents.ts';
import { createEventReader, type StreamEvent } from '../../support/streamClient.ts';
import { createTestApp, type TestApp } from '../../support/testApp.ts';

let app: TestApp;
afterEach(() => app.close());

test('GET /api/data/stream is public and begins with a snapshot of the market', async () => {
  app = createTestApp();
  app.parts.market.service.apply([{ code: 'BHP', name: 'BHP Group', last: 42.5, close: 42 }]);
  const response = await app.open('GET', '/api/data/stream');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/event-stream');
  expect(app.parts.stream.service.clients()).toBe(1);
  const events: StreamEvent[] = [];
  const read = createEventReader((event) => events.push(event));
  const reader = response.body?.getReader();
  while (events.length === 0) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
    read(new TextDecoder().decode(piece.value));
  }
  expect(events[0]?.event).toBe('snapshot');
  expect(isSnapshot(events[0]?.data)).toBe(true);
  expect(events[0]?.data).toMatchObject({
    stocks: { BHP: { last: 42.5, change: 0.5 } },
    meta: { stockCount: 1 },
  });
  await reader?.cancel();
  expect(app.parts.stream.service.clients()).toBe(0);
});

test('HEAD /api/data/stream tells the headers and opens no stream', async () => {
  app = createTestApp();
  const response = await app.open('HEAD', '/api/data/stream', { headers: { 'accept-encoding': 'gzip' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/event-stream');
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.text()).toBe('');
  expect(app.parts.stream.service.clients()).toBe(0);
});

test('GET /api/data/stream keeps the connection of a stream open, and of no refusal', async () => {
  let kept = 0;
  const keepOpen = (): void => void (kept += 1);
  app = createTestApp({ runtime: { keepOpen }, config: { streams: { all: 1, perAddress: 1 } } });
  await app.open('HEAD', '/api/data/stream');
  expect(kept).toBe(0);
  const stream = await app.open('GET', '/api/data/stream');
  expect((await app.open('GET', '/api/data/stream')).status).toBe(429);
  expect(kept).toBe(1);
  await stream.body?.cancel();
});
