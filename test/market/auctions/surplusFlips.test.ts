import { describe, expect, test } from 'bun:test';
import { openMemoryDb } from '../../support/memoryDb.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { createLog } from '../../../src/lib/log.ts';
import { AuctionMemory } from '../../../src/market/auctions/memory.ts';
import { ObservedMarket } from '../../../src/market/observed.ts';
import { createHandSource } from '../../support/handSource.ts';
import { createFakeClock } from '../../support/testApp.ts';

const DAY = '2026-11-19';
const START = fromSydney(DAY, 9, 40);

function setUp(db = openMemoryDb(), now = START) {
  const clock = createFakeClock(now);
  const log = createLog(() => undefined);
  const market = new ObservedMarket({ clock }, log);
  const memory = new AuctionMemory({ db, log, source: createHandSource(clock) }, market);
  memory.start();
  const tick = () => {
    const changes = market.flush();
    memory.onChanges(changes);
    return changes;
  };
  /** The surplus comes, and the tick after it. @returns what goes out */
  const surplus = (buy_surplus: number | null) => {
    market.apply([{ code: 'AAA', match_price: 1, match_vol: 9, buy_surplus }]);
    return tick()?.upsert['AAA'];
  };
  const flip = () => market.get('AAA')?.surplusFlip;
  return { db, clock, market, memory, tick, surplus, flip };
}

describe('a surplus that changes sides', () => {
  test('marks its stock for 60 s, and the end of it goes out too', () => {
    const { clock, surplus, tick, flip, memory } = setUp();
    expect(surplus(500)).not.toHaveProperty('surplusFlip');
    clock.advance(5000);
    expect(surplus(-20)).toEqual({ buy_surplus: -20, surplusFlip: -1 });
    clock.advance(59_000);
    expect(tick()).toBeNull();
    expect(surplus(-30)).toEqual({ buy_surplus: -30 });
    clock.advance(1000);
    expect(tick()?.upsert).toEqual({ AAA: { surplusFlip: null } });
    expect(flip()).toBeUndefined();
    expect(tick()).toBeNull();
    memory.stop();
  });

  test('back within the minute is marked the other way, for a minute of its own', () => {
    const { clock, surplus, tick, flip, memory } = setUp();
    surplus(500);
    surplus(-20);
    clock.advance(30_000);
    expect(surplus(10)).toEqual({ buy_surplus: 10, surplusFlip: 1 });
    clock.advance(59_999);
    tick();
    expect(flip()).toBe(1);
    clock.advance(1);
    tick();
    expect(flip()).toBeUndefined();
    memory.stop();
  });

  test('a surplus of 0 between two signs is one flip; what is not known in between is none', () => {
    const { surplus, flip, memory } = setUp();
    surplus(500);
    surplus(0);
    expect(flip()).toBeUndefined();
    surplus(-5);
    expect(flip()).toBe(-1);
    surplus(null);
    expect(flip()).toBeUndefined();
    surplus(5);
    expect(flip()).toBeUndefined();
    memory.stop();
  });

  test('a clock that steps back leaves the mark at most another minute', () => {
    const { clock, surplus, tick, flip, memory } = setUp();
    surplus(500);
    surplus(-5);
    clock.set(START - 20 * 60_000);
    tick();
    expect(flip()).toBe(-1);
    clock.advance(60_000);
    tick();
    expect(flip()).toBeUndefined();
    memory.stop();
  });

  test('a new session knows no side', () => {
    const { clock, surplus, tick, flip, memory } = setUp();
    surplus(500);
    surplus(-5);
    clock.set(fromSydney('2026-11-20', 7, 0));
    tick();
    expect(flip()).toBeUndefined();
    surplus(5);
    expect(flip()).toBeUndefined();
    memory.stop();
  });

  test('a stock that is taken off the list and comes again has not flipped', () => {
    const { market, surplus, flip, tick, memory } = setUp();
    surplus(500);
    market.remove(['AAA']);
    tick();
    surplus(-5);
    expect(flip()).toBeUndefined();
    memory.stop();
  });
});

describe('over a restart', () => {
  test('the mark lasts as long as it would have', () => {
    const first = setUp();
    first.surplus(500);
    first.clock.advance(10_000);
    first.surplus(-5);
    first.memory.stop();
    const second = setUp(first.db, START + 40_000);
    second.surplus(-5);
    expect(second.flip()).toBe(-1);
    second.clock.advance(29_999);
    second.tick();
    expect(second.flip()).toBe(-1);
    second.clock.advance(1);
    second.tick();
    expect(second.flip()).toBeUndefined();
    second.memory.stop();
  });

  test('nothing flips by the restart itself', () => {
    const first = setUp();
    first.surplus(500);
    first.memory.stop();
    const same = setUp(first.db, START + 5000);
    same.surplus(400);
    expect(same.flip()).toBeUndefined();
    same.memory.stop();
    const late = setUp(first.db, START + 10 * 60_000);
    late.surplus(-5);
    expect(late.flip()).toBeUndefined();
    late.surplus(5);
    expect(late.flip()).toBe(1);
    late.memory.stop();
  });

  test('a side that changed while the server was off for seconds is a flip of the last minute', () => {
    const first = setUp();
    first.surplus(500);
    first.memory.stop();
    const second = setUp(first.db, START + 20_000);
    second.surplus(-5);
    expect(second.flip()).toBe(-1);
    second.memory.stop();
  });
});
