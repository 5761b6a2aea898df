import { describe, expect, test } from 'bun:test';
import type { Delta, Snapshot } from '#market/rules/stream.ts';
import { loneMessage } from '#platform/sse/message.ts';
import { fit, type ReadMessage } from '#src/relays/relay/follower.ts';
import { MarketCopy } from '#src/relays/relay/marketCopy.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { EventChanges } from '#subjects/calendar/server/events.ts';
import { aCalendarEvent } from '../support/aCalendarEvent.ts';
import { aStock } from '../support/aStock.ts';
import { createHandPrimary } from '../support/handPrimary.ts';

const NO_FX: Delta['fx'] = { upsert: {}, delete: [], lastUpdated: null };
const NO_STOCKS: Delta['stocks'] = { upsert: {}, delete: [] };

const empty = (fx: Snapshot['fx'] = { data: {}, lastUpdated: null }): Snapshot => ({
  ...createHandPrimary({ publish: async () => {}, keepSnapshot: async () => {} }).state(),
  fx,
});

function begun(snapshot = empty()) {
  let passed = 0;
  const copy = new MarketCopy(snapshot, { monotonic: () => passed });
  return {
    copy,
    wait: (ms: number) => void (passed += ms),
    change: (delta: Partial<Delta>) =>
      copy.apply({
        name: 'delta_update',
        data: { stocks: NO_STOCKS, fx: NO_FX, ...delta, meta: { stockCount: 0, ...delta.meta } },
      }),
  };
}

describe('the copy of a relay', () => {
  test('knows the events of the calendar as the primary sends them, even while it sent a part', () => {
    const all = new Map<string, CalendarEvent>();
    let wall = 1000;
    const changes = new EventChanges(all, { now: () => wall });
    const { copy, change } = begun();
    const publish = (): void => {
      const fx = changes.take();
      if (fx) change({ fx });
      else change({});
      expect(copy.state().fx).toEqual(changes.snapshot());
    };
    for (let at = 0; at < 250; at += 1) {
      all.set(`e${at}`, aCalendarEvent({ id: `e${at}`, actual: null }));
      changes.note(`e${at}`);
    }
    for (let step = 0; step < 5; step += 1) publish();
    expect(copy.state().fx.lastUpdated).toBe(1000);
    wall = 2000;
    all.set('e1', aCalendarEvent({ id: 'e1', actual: 3, isTentative: true, revised: 2 }));
    all.delete('e2');
    for (const id of ['e1', 'e2']) changes.note(id);
    publish();
    all.set('e1', aCalendarEvent({ id: 'e1', actual: null }));
    changes.note('e1');
    publish();
    expect(copy.state().fx.data['e2']).toBeUndefined();
  });

  test('advances the market’s clock by the stopwatch and the primary’s messages', () => {
    const { copy, change, wait } = begun();
    const meta = { marketTime: 1_000_000, clockOffsetMs: 400_000, clockSpeed: 2 };
    change({ meta: { stockCount: 0, ...meta } });
    expect(copy.now()).toBe(600_000);
    wait(500);
    expect(copy.now()).toBe(600_500);
    expect(copy.state().meta).toMatchObject({ marketTime: 1_001_000, clockOffsetMs: 400_500 });
    // Its ping was late.
    copy.apply({ name: 'ping', data: { time: 600_400 } });
    expect(copy.now()).toBe(600_400);
    expect(copy.state().meta).toMatchObject({ marketTime: 1_000_800, clockOffsetMs: 400_400 });
    wait(100);
    change({});
    expect(copy.state().meta).toMatchObject({ marketTime: 1_001_000, clockOffsetMs: 400_500 });
  });

  test('equals a snapshot after receiving it, whatever was before', () => {
    const { copy, change } = begun();
    change({
      stocks: { upsert: { BHP: aStock({ code: 'BHP' }), CBA: aStock({ code: 'CBA' }) }, delete: [] },
    });
    change({ stocks: { upsert: { BHP: { last: 9 } }, delete: ['CBA'] } });
    expect([...copy.state().stocks].map(({ code, last }) => [code, last])).toEqual([['BHP', 9]]);
    copy.apply({ name: 'snapshot', data: empty({ data: {}, lastUpdated: 5 }) });
    expect([...copy.state().stocks]).toEqual([]);
    expect(copy.state().fx).toEqual({ data: {}, lastUpdated: 5 });
  });
});

const message = loneMessage(new Uint8Array());

const market = (run: number, number: number, seq: number): ReadMessage => ({
  position: { run, number },
  relayMessage: { kind: 'market', epoch: 'e1', seq, place: 0, reach: 0, block: new Uint8Array() },
  message,
});

const snapshotAt = (run: number, number: number, seq: number) => ({
  position: { run, number },
  epoch: 'e1',
  seq,
});

const seqs = (found: ReturnType<typeof fit>): unknown =>
  found && [found.before.map(({ seq }) => seq), found.after.length];

describe('a snapshot and the stored messages', () => {
  test('match with the events before it, including those of an earlier epoch', () => {
    const relayMessages = [market(1, 8, 3), market(1, 9, 4), market(2, 1, 5)];
    expect(seqs(fit(snapshotAt(2, 0, 4), relayMessages))).toEqual([[3, 4], 1]);
  });

  test('match without events of an earlier epoch if some were never published', () => {
    const relayMessages = [market(1, 8, 3), market(1, 9, 4), market(2, 1, 10)];
    expect(seqs(fit(snapshotAt(2, 0, 9), relayMessages))).toEqual([[], 1]);
  });

  test('do not match if messages of its own epoch contradict it, or one is missing after it', () => {
    expect(fit(snapshotAt(1, 9, 9), [market(1, 8, 3), market(1, 9, 4)])).toBeNull();
    expect(fit(snapshotAt(1, 9, 4), [market(1, 9, 4), market(1, 11, 5)])).toBeNull();
  });
});
