import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openMemoryDb } from '#support/memoryDb.ts';
import { type CalendarEvent, applyEventPatch, wireEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { Delta, Snapshot } from '#market/rules/stream.ts';
import { type CalendarApp, createCalendarApp, eventIn } from '#support/calendarApp.ts';
import { createFakeClock, START } from '#support/testApp.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { startStreamServer, STREAM_NOW, type StreamServer } from '#support/streamServer.ts';

describe('the calendar on the server', () => {
  const HOUR = 3_600_000;

  let app: CalendarApp;
  beforeEach(async () => {
    app = await createCalendarApp();
  });
  afterEach(() => app.close());

  const ids = (): string[] => [...app.parts.calendar.service.events().keys()].sort();
  const span = (from: number, until: number) => ({ from: START + from * HOUR, until: START + until * HOUR });

  describe('an event from a source', () => {
    test('is stored, changed by id, and removed when the source omits it in its time range', async () => {
      const sink = app.calendar.sink();
      sink.replace(span(-50, 50), [eventIn(10, { id: 'a' }), eventIn(20, { id: 'b' })]);
      expect(ids()).toEqual(['a', 'b']);
      sink.replace(span(0, 1), [eventIn(10, { id: 'a', actual: 2.7 })]);
      expect(ids()).toEqual(['a']);
      expect(app.parts.calendar.service.events().get('a')?.actual).toBe(2.7);
      sink.replace(span(2, 50), []);
      expect(ids()).toEqual(['a']);
      expect(sink.known(span(0, 1)).map(({ id }) => id)).toEqual(['a']);
      expect(sink.known(span(1, 2))).toEqual([]);
    });

    test('does not affect others if invalid, and keeps its known version', async () => {
      app.events(eventIn(10, { id: 'known' }));
      app.events(
        eventIn(10, { id: 'known', dateUtc: 'soon' }),
        eventIn(10, { id: '' }),
        eventIn(10, { id: '__proto__' }),
        eventIn(10, { id: 'x'.repeat(101) }),
        eventIn(10, { id: 'nameless', name: ' ' }),
        eventIn(10, { id: 'endless', name: 'n'.repeat(201) }),
        eventIn(10, { id: 'odd', actual: Number.NaN }),
        eventIn(10, { id: 'good' }),
      );
      expect(ids()).toEqual(['good', 'known']);
      const warned = app.lines.filter(({ level }) => level === 'warn');
      expect(warned.map(({ properties }) => properties['count'])).toEqual([7]);
    });

    test('outside every time zone’s window is not stored, and expires', async () => {
      app.events(
        eventIn(-49 * 60, { id: 'old' }),
        eventIn(49 * 60, { id: 'new' }),
        eventIn(50 * 60, { id: 'far' }),
      );
      expect(ids()).toEqual(['new', 'old']);
      app.clock.advance(2 * 60_000);
      app.tick.run();
      expect(ids()).toEqual(['new']);
    });
  });

  /** The state of a client that received the snapshot and all later changes. */
  function clientOf(fx: Snapshot['fx']) {
    const events = new Map<string, CalendarEvent>();
    const put = (id: string, patch: Parameters<typeof applyEventPatch>[2]) =>
      events.set(id, applyEventPatch(id, events.get(id), patch));
    for (const [id, patch] of Object.entries(fx.data)) put(id, patch);
    return {
      take(delta: Delta['fx'] | null): void {
        for (const [id, patch] of Object.entries(delta?.upsert ?? {})) put(id, patch);
        for (const id of delta?.delete ?? []) events.delete(id);
      },
      known: () => Object.fromEntries([...events].sort()),
    };
  }

  describe('the calendar stream', () => {
    test('sends every member of the specification, then minimal patches, once per tick', async () => {
      const { service } = app.parts.calendar;
      const { sink } = app.calendar;
      sink().apply([eventIn(10, { id: 'a' })]);
      expect(service.takeChanges()?.upsert).toEqual({
        a: {
          id: 'a',
          dateUtc: '2026-11-18T00:10:00.000Z',
          countryCode: 'AU',
          currencyCode: 'AUD',
          name: 'Consumer Price Index (YoY)',
          periodDateUtc: '2025-12-01T00:00:00Z',
          periodType: 'MONTH',
          actual: null,
          consensus: 2.4,
          previous: 2.5,
          unit: '%',
          volatility: 'HIGH',
          isSpeech: false,
          isReport: false,
        },
      });
      expect(service.snapshot().data.a).toHaveProperty('actual', null);
      expect(service.takeChanges()).toBeNull();
      sink().apply([eventIn(10, { id: 'a', actual: 0, isTentative: true })]);
      expect(service.takeChanges()).toEqual({
        upsert: { a: { actual: 0, isTentative: true } },
        delete: [],
        lastUpdated: START,
      });
      sink().apply([eventIn(10, { id: 'a', consensus: null })]);
      expect(service.takeChanges()?.upsert).toEqual({
        a: { actual: null, consensus: null, isTentative: null },
      });
    });

    test('spreads 5,000 events over ticks, and a client that joins in between misses none', async () => {
      const { service } = app.parts.calendar;
      const many = Array.from({ length: 5000 }, (_, at) => eventIn(at % 2000, { id: `e${at}` }));
      const all = clientOf(service.snapshot());
      app.calendar.sink().apply(many);
      let late: ReturnType<typeof clientOf> | null = null;
      let ticks = 0;
      for (let change = service.takeChanges(); change; change = service.takeChanges()) {
        ticks += 1;
        expect(Object.keys(change.upsert).length).toBeLessThanOrEqual(100);
        // A partial state is never marked as complete.
        expect(service.snapshot().lastUpdated).toBe(change.lastUpdated);
        expect(change.lastUpdated === null).toBe(app.parts.calendar.inspect().summary.waiting > 0);
        all.take(change);
        late?.take(change);
        if (ticks === 5) {
          late = clientOf(service.snapshot());
          app.calendar
            .sink()
            .apply([eventIn(1, { id: 'e0', actual: 9 }), eventIn(1, { id: 'e4999', actual: 9 })]);
        }
      }
      expect(ticks).toBeGreaterThanOrEqual(50);
      expect(Object.keys(all.known())).toHaveLength(5000);
      expect(late?.known()).toEqual(all.known());
      expect(all.known()).toEqual(Object.fromEntries([...service.events()].sort()));
    });
  });

  describe('after a restart', () => {
    beforeEach(() => app.close());
    const restart = async (db: ReturnType<typeof openMemoryDb>, hours = 0) => {
      const clock = createFakeClock(START + hours * HOUR);
      return createCalendarApp({ db, clock });
    };

    test('a client before the first tick gets all events in the snapshot, and none again', async () => {
      const db = openMemoryDb();
      app = await restart(db);
      const events = Array.from({ length: 150 }, (_, at) => eventIn(10, { id: `e${at}` }));
      app.events(...events);
      for (let ticks = 0; ticks < 2; ticks += 1) app.tick.run();
      app.close();
      app = await restart(db);
      const { service } = app.parts.calendar;
      expect(Object.keys(service.snapshot().data)).toHaveLength(150);
      expect(service.takeChanges()).toBeNull();
    });

    test('stored events are available before the source responds, except past ones', async () => {
      const db = openMemoryDb();
      app = await restart(db);
      app.events(
        eventIn(-48 * 60, { id: 'old' }),
        eventIn(10, { id: 'a', actual: 2.7 }),
        eventIn(30, { id: 'gone' }),
      );
      app.calendar.sink().replace(span(0.4, 1), []);
      app.tick.run();
      app.close();
      app = await restart(db, 3);
      expect(ids()).toEqual(['a']);
      expect(app.parts.calendar.service.events().get('a')).toEqual(eventIn(10, { id: 'a', actual: 2.7 }));
      app.tick.run();
      expect(db.$client.query('select id from calendar_events').all()).toEqual([{ id: 'a' }]);
    });

    test('unreadable events do not affect the others', async () => {
      const db = openMemoryDb();
      app = await restart(db);
      app.events(eventIn(10, { id: 'a' }), eventIn(10, { id: 'b' }), eventIn(10, { id: 'c' }));
      await app.parts.calendar.stop();
      db.$client.run("update calendar_events set event = '[1]' where id = 'a'");
      db.$client.run(`update calendar_events set event = '{"name":5,"dateUtc":7}' where id = 'b'`);
      app = await restart(db);
      expect(ids()).toEqual(['c']);
      expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });
});

describe('the calendar’s events in the stream', () => {
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

  test('follow the first part for a page that asks for parts, for any number of stocks', async () => {
    server = startStreamServer({ fx: () => fxOf(3) });
    server.tick('BHP', 40);
    const client = server.client('/?parts=1');
    // Only a complete state can be resumed.
    await client.until(({ events }) => events.at(-1)?.id === 'run-1');
    expect(client.events.map(({ id }) => id)).toEqual(['run-1.1', 'run-1']);
    const [first, second] = client.events.map(({ data }) => data) as [Snapshot, Delta];
    expect([Object.keys(first.stocks), first.fx]).toEqual([['BHP'], { data: {}, lastUpdated: null }]);
    expect(second.fx).toEqual({ upsert: fxOf(3).data, delete: [], lastUpdated: STREAM_NOW });
  });

  test('change with the next tick, even without stock changes, and are not sent twice', async () => {
    server = startStreamServer({ fx: () => fxOf(1) });
    server.tick('BHP', 39);
    const client = server.client();
    await client.until(() => client.events.length === 1);
    server.hub.publish(null, null);
    server.hub.publish(null, { upsert: { e0: { actual: 2 } }, delete: ['e9'], lastUpdated: STREAM_NOW + 1 });
    server.tick('BHP', 40);
    await client.until(() => client.events.length === 3);
    const [, change, stock] = client.events.map(({ data }) => (data as Delta).fx);
    expect(change).toEqual({ upsert: { e0: { actual: 2 } }, delete: ['e9'], lastUpdated: STREAM_NOW + 1 });
    expect(stock).toEqual({ upsert: {}, delete: [], lastUpdated: null });
  });
});
