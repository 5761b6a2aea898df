import { describe, expect, test } from 'bun:test';
import type { EventGuard } from '../../../../src/subjects/alerts/rules/eventGuard.ts';
import type { StockUpdate } from '../../../../src/market/rules/stock.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';
import { aScan, createScanAlertStage, type NewScanAlert } from '../../../support/scanAlertStage.ts';

const MINUTE = 60_000;
const hold: EventGuard = { mode: 'hold', currencies: ['AUD'] };
const mark: EventGuard = { mode: 'mark', currencies: ['AUD'] };
const over50 = aScan(allOf(is(LAST, '>', 50)));
const crosses50 = aScan(allOf(is(LAST, 'crosses_above', 50)));
const trade = (code: string, last: number): StockUpdate => ({ code, status: 'Open', last });

/** An alert that knows three stocks outside its scan, and an event of HIGH impact in two minutes. */
function started(change: NewScanAlert = {}, scans = [over50]) {
  const stage = createScanAlertStage({ scans });
  const { id } = stage.add({ guard: hold, ...change });
  stage.tick(trade('BHP', 40), trade('CBA', 40), trade('CSL', 40));
  stage.tick();
  stage.tick();
  const event = { name: 'CPI', currency: 'AUD', at: stage.clock.now() + 2 * MINUTE };
  stage.events.push(event);
  return { stage, id, event };
}

type Stage = ReturnType<typeof started>['stage'];
const over = (stage: Stage, ...updates: StockUpdate[]): void => {
  stage.clock.advance(8 * MINUTE);
  stage.tick(...updates);
};
const kinds = (stage: Stage) => stage.triggers().map(({ guard }) => guard?.kind ?? null);
/** The text of the first message, line by line. */
function sentText(stage: Stage): string {
  const message = stage.messages()[0]?.message;
  return message && 'title' in message ? [message.title, ...message.lines].join('\n') : '';
}

describe('an alert on a scan that is marked around events', () => {
  test('tells as always, and names the event in its message', () => {
    const { stage, event } = started({ guard: mark });
    stage.tick(trade('BHP', 51));
    expect(kinds(stage)).toEqual(['marked']);
    expect(sentText(stage)).toContain(`Within 5 minutes of ${event.name} (AUD, HIGH)`);
  });

  test('names it in a sum that began before it', () => {
    const { stage, event } = started({ guard: mark, minuteMaximum: 1 });
    stage.events.length = 0;
    stage.tick(trade('BHP', 51), trade('CBA', 51));
    stage.events.push(event);
    stage.tick(trade('CSL', 51));
    stage.clock.advance(MINUTE);
    stage.tick();
    expect(kinds(stage)).toEqual([null, 'marked']);
  });
});

describe('an alert on a scan that is held back around events', () => {
  test('says nothing until the event is over, and then tells all that still stand in one message', () => {
    const { stage } = started();
    stage.tick(trade('BHP', 51));
    stage.tick(trade('CBA', 52));
    stage.tick(trade('CSL', 53));
    stage.tick(trade('CBA', 40));
    expect(stage.messages()).toEqual([]);
    over(stage);
    expect(stage.symbols()).toEqual([['BHP', 'CSL']]);
    expect(kinds(stage)).toEqual(['late']);
    expect(sentText(stage)).toStartWith('2 stocks entered\n');
    expect(sentText(stage)).toContain('Held back since');
    expect(stage.told).toHaveLength(1);
    expect(stage.triggers()[0]?.triggeredAt).toBe(stage.clock.now());
  });

  test('has fired for nothing where all have left again, and its history says so', () => {
    const { stage } = started();
    stage.tick(trade('BHP', 51));
    stage.tick(trade('BHP', 40));
    over(stage);
    expect(kinds(stage)).toEqual(['withheld']);
    expect(stage.messages()).toEqual([]);
    expect(stage.told).toEqual([]);
    // It counts in no limit: the stock is told as it enters again.
    stage.tick(trade('BHP', 52));
    expect(kinds(stage)).toEqual(['withheld', null]);
  });

  test('counts what it told late in its limits', () => {
    const { stage } = started({ cooldownMinutes: 30 });
    stage.tick(trade('BHP', 51));
    over(stage);
    stage.tick(trade('BHP', 40));
    stage.tick(trade('BHP', 51));
    expect(kinds(stage)).toEqual(['late']);
  });

  test('tells what left and has not come back', () => {
    const { stage } = started({ event: 'leaves' });
    stage.events.length = 0;
    stage.tick(trade('BHP', 51), trade('CBA', 51));
    stage.events.push({ name: 'CPI', currency: 'AUD', at: stage.clock.now() });
    stage.tick(trade('BHP', 40), trade('CBA', 40));
    stage.tick(trade('CBA', 51));
    over(stage);
    expect(stage.symbols()).toEqual([['BHP']]);
    expect(sentText(stage)).toStartWith('1 stock left\n');
  });

  test('tells a crossing, which was over at once', () => {
    const { stage } = started({}, [crosses50]);
    stage.tick(trade('BHP', 51));
    stage.tick(trade('BHP', 40));
    over(stage);
    expect(stage.symbols()).toEqual([['BHP']]);
  });

  test('goes on waiting after a kill', () => {
    const { stage } = started();
    stage.tick(trade('BHP', 51));
    stage.kill();
    stage.tick(trade('CBA', 51));
    expect(stage.messages()).toEqual([]);
    over(stage);
    expect(stage.symbols()).toEqual([['BHP', 'CBA']]);
    expect(stage.messages()).toHaveLength(1);
  });

  test('tells at once after a kill that outlasted the event, and never twice', () => {
    const { stage } = started();
    stage.tick(trade('BHP', 51));
    stage.clock.advance(8 * MINUTE);
    stage.kill();
    stage.tick();
    stage.tick();
    stage.kill();
    stage.tick();
    expect(stage.symbols()).toEqual([['BHP']]);
    expect(stage.messages()).toHaveLength(1);
  });

  test('is told at the next tick once the guard is taken away', () => {
    const { stage, id } = started();
    stage.tick(trade('BHP', 51));
    stage.change(id, { guard: null });
    stage.tick();
    expect(kinds(stage)).toEqual(['late']);
  });

  test('forgets what it held when it is switched off, or looks at another scan', () => {
    const { stage, id } = started({}, [over50, aScan(allOf(is(LAST, '>', 30)), { id: 2, name: 'Lower' })]);
    stage.tick(trade('BHP', 51));
    stage.change(id, { scan: { type: 'scan', id: 2, name: 'Lower' } });
    over(stage);
    expect(stage.triggers()).toEqual([]);
    stage.events.push({ name: 'PPI', currency: 'AUD', at: stage.clock.now() });
    stage.tick(trade('CBA', 20));
    stage.tick(trade('CBA', 35));
    expect(kinds(stage)).toEqual(['late']);
    stage.change(id, { active: false });
    over(stage);
    expect(stage.triggers()).toEqual([]);
    expect(stage.messages()).toEqual([]);
  });

  test('keeps what could not be written, and tells it late', () => {
    const { stage } = started();
    stage.refuseWrites(true);
    stage.tick(trade('BHP', 51));
    over(stage);
    expect(stage.triggers()).toEqual([]);
    stage.refuseWrites(false);
    stage.tick();
    expect(stage.symbols()).toEqual([['BHP']]);
    expect(kinds(stage)).toEqual(['late']);
  });
});
