import { describe, expect, test } from 'bun:test';
import { allOf, anyOf, field, is, LAST, RSI } from '../../../support/conditions.ts';
import { createAlertStage } from '../../../support/alertStage.ts';

const bhp = (more = {}) => ({ code: 'BHP', status: 'Open' as const, last: 51, ...more });

describe('the last evaluation', () => {
  test('shows every condition with its values, and changes nothing', () => {
    const stage = createAlertStage();
    const { id } = stage.add({
      logic: allOf(
        is(LAST, 'crosses_above', 51.5),
        anyOf(is(LAST, '<', 10), is(field('volume'), '>=', 7)),
        is(field('sector'), '==', { type: 'text', values: ['Energy', 'Materials'] }),
      ),
    });
    stage.tick(bhp({ volume: 7, sector: 'Energy' }));
    const at = stage.clock.now();
    stage.market.apply([{ code: 'BHP', last: 52 }]);
    stage.clock.advance(500);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(stage.engine.evaluation(id)).toEqual({
        at,
        notEvaluated: null,
        holds: true,
        guard: null,
        conditions: [
          {
            left: { text: 'Last', value: 52, before: 51 },
            op: 'crosses_above',
            right: { text: '51.5', value: 51.5, before: 51.5 },
            holds: true,
          },
          { left: { text: 'Last', value: 52 }, op: '<', right: { text: '10', value: 10 }, holds: false },
          { left: { text: 'Volume', value: 7 }, op: '>=', right: { text: '7', value: 7 }, holds: true },
          {
            left: { text: 'Sector', value: null },
            op: '==',
            right: { text: 'Energy or Materials', value: null },
            holds: true,
          },
        ],
      });
    }
    expect(stage.fired).toEqual([]);
    stage.tick();
    expect(stage.fired).toHaveLength(1);
  });

  test('says why there is none', () => {
    const stage = createAlertStage();
    const reason = (id: number) => stage.engine.evaluation(id)?.notEvaluated;
    const price = stage.add({ logic: allOf(is(LAST, '>', 60)) });
    const rsi = stage.add({ logic: allOf(is(LAST, '>', 50), is(RSI, '>', 70)) });
    const sector = stage.add({
      logic: allOf(is(field('sector'), '!=', { type: 'text', values: ['Energy'] })),
    });
    expect(reason(price.id)).toBe('There are no prices for BHP');
    expect(stage.engine.evaluation(price.id)).toMatchObject({
      at: null,
      holds: null,
      conditions: [{ left: { text: 'Last', value: null }, holds: null }],
    });
    stage.tick(bhp());
    expect(reason(price.id)).toBeNull();
    expect(reason(rsi.id)).toMatch(/^RSI.*14.* is not known yet$/);
    expect(stage.engine.evaluation(rsi.id)?.conditions.map(({ holds }) => holds)).toEqual([true, null]);
    expect(reason(sector.id)).toBe('The sector of BHP is not known');
    stage.tick(bhp({ status: 'Suspended' }));
    expect(reason(rsi.id)).toBe('BHP is suspended');
    expect(stage.engine.evaluation(99)).toBeNull();
  });

  test('of old prices there is none: an alert made while nothing comes in waits for the source or a new price', () => {
    const stage = createAlertStage();
    stage.tick(bhp(), { code: 'CBA', status: 'Open', last: 150 });
    stage.source.setHealth({ healthy: false, problem: 'The bridge is silent.' });
    const onBhp = stage.add({ logic: allOf(is(LAST, '>', 50)) });
    const onCba = stage.add({ symbol: 'CBA', logic: allOf(is(LAST, '>', 100)) });
    stage.tick();
    expect(stage.fired).toEqual([]);
    expect(stage.engine.evaluation(onBhp.id)).toMatchObject({
      holds: null,
      notEvaluated: 'No prices are coming in',
    });
    stage.tick(bhp({ last: 52 }));
    expect(stage.fired.map(({ alertId }) => alertId)).toEqual([onBhp.id]);
    stage.source.setHealth({ healthy: true, problem: null });
    stage.tick();
    expect(stage.fired.map(({ alertId }) => alertId)).toEqual([onBhp.id, onCba.id]);
  });
});

describe('what is evaluated', () => {
  test('rows of alerts that went are used again', () => {
    const stage = createAlertStage();
    for (let turn = 0; turn < 300; turn += 1) {
      const { id } = stage.add({ logic: allOf(is(LAST, '>', 60), is(RSI, '<', turn)) });
      stage.change(id, { active: false });
    }
    const kept = stage.add({ logic: allOf(is(LAST, '>', 50), is(field('volume'), '<', 9)) });
    stage.tick(bhp({ volume: 8 }));
    expect(stage.fired.map(({ alertId }) => alertId)).toEqual([kept.id]);
    expect(stage.engine.counts()).toMatchObject({ alerts: 0, symbols: 0 });
  });
});

describe('an alert on the match price', () => {});
