import { describe, expect, test } from 'bun:test';
import type { StockUpdate } from '../../../../src/market/rules/stock.ts';
import { allOf, field, is, LAST } from '../../../support/conditions.ts';
import { aScan, createScanAlertStage, type ScanAlertStage } from '../../../support/scanAlertStage.ts';

const over50 = aScan(allOf(is(LAST, '>', 50)));
const trade = (code: string, last: number): StockUpdate => ({ code, status: 'Open', last });

/** A stage with an alert that has seen BHP and CBA outside, on disk. */
function started(change: Parameters<ScanAlertStage['add']>[0] = {}): ScanAlertStage {
  const stage = createScanAlertStage({ scans: [over50] });
  stage.add(change);
  stage.tick(trade('BHP', 40), trade('CBA', 40));
  stage.tick();
  stage.tick();
  expect(stage.states()).toHaveLength(1);
  return stage;
}

describe('after a kill', () => {
  test('what was told is not told again, also where who stood where was not saved after it', () => {
    const stage = started();
    stage.tick(trade('BHP', 51));
    stage.kill();
    stage.tick(trade('BHP', 51.5));
    stage.tick(trade('BHP', 52));
    expect(stage.symbols()).toEqual(['BHP']);
    expect(stage.messages()).toHaveLength(1);
  });

  test('what entered meanwhile is told', () => {
    const stage = started();
    stage.kill();
    stage.tick(trade('CBA', 51));
    expect(stage.symbols()).toEqual(['CBA']);
  });

  test('what had fired and could not be written fires', () => {
    const stage = started();
    stage.refuseWrites(true);
    stage.tick(trade('BHP', 51));
    stage.tick();
    stage.tick();
    expect(stage.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    stage.refuseWrites(false);
    stage.kill();
    stage.tick();
    expect(stage.symbols()).toEqual(['BHP']);
  });

  test('cooldown, the day’s count and what is not to be told today go on', () => {
    const stage = started({ cooldownMinutes: 10, dayMaximum: 2 });
    stage.tick(trade('BHP', 51));
    stage.tick(trade('BHP', 40));
    stage.tick();
    stage.tick();
    stage.kill();
    stage.tick(trade('BHP', 52));
    expect(stage.symbols()).toEqual(['BHP']);
    stage.tick(trade('BHP', 40));
    stage.clock.advance(10 * 60_000);
    stage.tick(trade('BHP', 53));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
    stage.tick(trade('BHP', 40));
    stage.clock.advance(10 * 60_000);
    stage.kill();
    stage.tick(trade('BHP', 54));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
  });

  test('a clock that was set back ends no cooldown early, and none stays for ever', () => {
    const stage = started({ cooldownMinutes: 10, dayMaximum: 20 });
    stage.tick(trade('BHP', 51));
    stage.tick(trade('BHP', 40));
    stage.clock.set(stage.clock.now() - 3_600_000);
    stage.tick(trade('BHP', 52));
    expect(stage.symbols()).toEqual(['BHP']);
    stage.kill();
    stage.tick(trade('BHP', 40));
    stage.clock.advance(10 * 60_000);
    stage.tick(trade('BHP', 53));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
  });

  test('the sum that was not sent is sent, once and whole', () => {
    const stage = started({ minuteMaximum: 1 });
    stage.tick(trade('RIO', 40), trade('FMG', 40));
    stage.tick(trade('BHP', 51));
    stage.tick(trade('CBA', 51));
    stage.tick(trade('RIO', 51));
    stage.kill();
    stage.tick();
    stage.tick();
    expect(stage.symbols()).toEqual(['BHP', ['CBA', 'RIO']]);
    expect(stage.messages()).toHaveLength(2);
    expect(stage.messages()[1]?.message).toMatchObject({ title: '2 more stocks entered' });
    stage.kill();
    stage.tick();
    expect(stage.messages()).toHaveLength(2);
  });

  test('another source knows nothing of it', () => {
    const stage = started();
    Object.assign(stage.source, { name: 'other' });
    stage.kill();
    stage.tick(trade('BHP', 51));
    expect(stage.symbols()).toEqual([]);
  });

  test('in another session nobody is in a scan of the day’s figures yet', () => {
    const stage = createScanAlertStage({ scans: [aScan(allOf(is(field('volume'), '>', 100)))] });
    stage.add();
    stage.tick({ ...trade('BHP', 40), volume: 200 });
    stage.tick();
    stage.tick();
    stage.clock.advance(24 * 3_600_000);
    stage.kill();
    stage.tick({ ...trade('BHP', 41), volume: 150 });
    expect(stage.symbols()).toEqual(['BHP']);
  });
});

describe('a replay', () => {
  test('remembers nothing for the next run', () => {
    const source = { replay: {} as never, name: 'replay-x' };
    const stage = createScanAlertStage({ scans: [over50], source });
    stage.add();
    stage.tick(trade('BHP', 40));
    stage.tick();
    stage.tick();
    expect(stage.states()).toEqual([]);
  });
});

test('nothing is lost or told twice whenever the process is killed', () => {
  for (let killAt = 0; killAt < 12; killAt += 1) {
    const stage = createScanAlertStage({ scans: [over50] });
    stage.add({ minuteMaximum: 2, cooldownMinutes: 390 });
    const all = Array.from({ length: 8 }, (_, index) => `S0${index}`);
    stage.tick(...all.map((code) => trade(code, 40)));
    stage.tick();
    stage.tick();
    for (let step = 0; step < 12; step += 1) {
      const code = all[step];
      stage.tick(...(code ? [trade(code, 51)] : []));
      if (step === killAt) stage.kill();
    }
    stage.clock.advance(60_000);
    stage.tick();
    stage.tick();
    expect(stage.symbols().flat().toSorted()).toEqual(all);
    const written = stage.messages().map(({ message }) => ('lines' in message ? message : null));
    const singles = written.filter((message) => message?.title.endsWith('51.00')).length;
    const summed = written
      .filter((message) => message?.title.includes('more stock'))
      .reduce((sum, message) => sum + Number.parseInt(message?.title ?? '0', 10), 0);
    expect([killAt, singles + summed]).toEqual([killAt, all.length]);
  }
});
