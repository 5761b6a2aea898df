import { afterEach, describe, expect, test } from 'bun:test';
import type { Snapshot } from '../../../../src/market/rules/stream.ts';
import { wireEvent } from '../../../../src/subjects/calendar/rules/calendarEvent.ts';
import { finish } from '../../../../src/platform/http/readQueue.ts';
import { packParts, packWhole } from '../../../../src/market/stream/snapshot.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';
import { aStock } from '../../../support/aStock.ts';
import { isDelta, isSnapshot } from '../../../support/streamEvents.ts';
import { startStreamServer, STREAM_NOW, type StreamServer } from '../../../support/streamServer.ts';
import type { StreamClient } from '../../../support/streamClient.ts';

let server: StreamServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const fxOf = (count: number): Snapshot['fx'] => ({
  data: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`e${at}`, wireEvent(aCalendarEvent({ id: `e${at}` }))]),
  ),
  lastUpdated: STREAM_NOW,
});

/** The events that a client was told of, and when they changed. */
function known(client: StreamClient): { ids: string[]; lastUpdated: number | null } {
  let ids = new Set<string>();
  let lastUpdated: number | null = null;
  for (const { data } of client.events) {
    if (isSnapshot(data)) {
      ids = new Set(Object.keys(data.fx.data));
      lastUpdated = data.fx.lastUpdated;
    } else if (isDelta(data)) {
      for (const id of Object.keys(data.fx.upsert)) ids.add(id);
      for (const id of data.fx.delete) ids.delete(id);
      lastUpdated = data.fx.lastUpdated ?? lastUpdated;
    }
  }
  return { ids: [...ids].sort(), lastUpdated };
}

describe('the calendar’s events in the stream', () => {
  test('come with the snapshot', async () => {
    server = startStreamServer({ fx: () => fxOf(2) });
    const client = server.client();
    await client.until(() => client.events.length > 0);
    expect(known(client)).toEqual({ ids: ['e0', 'e1'], lastUpdated: STREAM_NOW });
  });

  test('come after the first part where a page asks for parts, whatever the number of stocks', async () => {
    server = startStreamServer({ fx: () => fxOf(3) });
    server.tick('BHP', 40);
    const client = server.client('/?parts=1');
    await client.until(() => known(client).ids.length === 3);
    const [first, second] = client.events;
    expect(isSnapshot(first?.data) && first.data.fx).toEqual({ data: {}, lastUpdated: null });
    expect(isSnapshot(first?.data) && Object.keys(first.data.stocks)).toEqual(['BHP']);
    expect(isDelta(second?.data) && second.data.fx.lastUpdated).toBe(STREAM_NOW);
    // Only what is whole can be resumed from.
    expect([first?.id, second?.id]).toEqual(['run-1.1', 'run-1']);
  });

  test('are all there after the last of many parts, the date with the last of them', () => {
    const stocks = Array.from({ length: 1200 }, (_, at) => aStock({ code: `S${at}` }));
    server = startStreamServer();
    const { meta } = server;
    const { first, others } = finish(packParts({ stocks, meta, fx: fxOf(1100) }, 'id'));
    const texts = [first, ...others].map((message) => new TextDecoder().decode(message.plain()));
    const events = texts.map((text) => (text.match(/"e\d{1,4}":/g) ?? []).length);
    expect(events.slice(0, 4)).toEqual([0, 500, 500, 100]);
    expect(
      texts.map(
        (text) => text.includes(`"lastUpdated":${STREAM_NOW}},`) || /"lastUpdated":\d{5,20}\}\}\n/.test(text),
      ),
    ).toEqual(texts.map((_, at) => at === 3));
    expect(texts.filter((text) => text.startsWith('id: id\n'))).toEqual([texts.at(-1) ?? '']);
    expect(texts.join('').match(/"S\d{1,4}":/g)).toHaveLength(1200);
  });

  test('change with the next tick, also when no stock does, and nothing is said twice', async () => {
    server = startStreamServer({ fx: () => fxOf(1) });
    server.tick('BHP', 39);
    const client = server.client();
    await client.until(() => client.events.length === 1);
    server.hub.publish(null, null);
    server.hub.publish(null, { upsert: { e0: { actual: 2 } }, delete: ['e9'], lastUpdated: STREAM_NOW + 1 });
    server.tick('BHP', 40);
    await client.until(() => client.events.length === 3);
    const [, change, stock] = client.events.map(({ data }) => (isDelta(data) ? data.fx : null));
    expect(change).toEqual({ upsert: { e0: { actual: 2 } }, delete: ['e9'], lastUpdated: STREAM_NOW + 1 });
    expect(stock).toEqual({ upsert: {}, delete: [], lastUpdated: null });
  });

  test('that changed while a client was away come when it is back', async () => {
    server = startStreamServer({ fx: () => fxOf(1) });
    const before = server.client();
    await before.until(() => before.events.length === 1);
    server.tick('BHP', 40);
    before.leave();
    server.hub.publish(null, { upsert: { e0: { actual: 2 } }, delete: [], lastUpdated: STREAM_NOW + 1 });
    const client = server.client('/', { 'last-event-id': 'run-1' });
    await client.until(() => client.events.length === 1);
    expect(client.events.map(({ event, id }) => [event, id])).toEqual([['delta_update', 'run-2']]);
    expect(known(client).lastUpdated).toBe(STREAM_NOW + 1);
  });

  test('of a whole snapshot stand in one message', () => {
    server = startStreamServer();
    const { meta } = server;
    expect(finish(packWhole({ stocks: [], meta, fx: fxOf(700) }, 'id'))).toHaveLength(1);
  });
});
