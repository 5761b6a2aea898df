import { describe, expect, test } from 'bun:test';
import { scanAlertsAnswer, scanTriggersAnswer } from '../../../../src/subjects/alerts/answers/scanAlert.ts';
import { readScanTrigger } from '../../../../src/subjects/alerts/web/shared/alertEvents.ts';

describe('answers about alerts on scans are read tolerantly', () => {
  test('with the least that names an alert, and what can’t be read left out', () => {
    const scan = { type: 'scanner', key: 'preMarket' };
    const body = {
      scan_alerts: [{ id: '7', scan }, { id: 8 }, { id: 9, scan: { type: 'scanner', key: 'custom' } }],
    };
    expect(scanAlertsAnswer.read(body)).toMatchObject({
      limit: 0,
      scan_alerts: [{ id: 7, scan, event: 'enters', cooldown_minutes: 30, active: false, muted_today: [] }],
    });
    expect(scanAlertsAnswer.read(null)).toEqual({ scan_alerts: [], limit: 0 });
  });

  test('a trigger, and a sum of several', () => {
    const marketTime = '2026-11-18T00:00:00.000Z';
    const { triggers } = scanTriggersAnswer.read({
      triggers: [{ id: 1, marketTime, symbols: ['BHP', 'CBA'] }, {}],
    });
    expect(triggers).toMatchObject([{ id: 1, symbol: null, symbols: ['BHP', 'CBA'], seen: [] }]);
  });

  test('an event of the stream is none of an alert on a stock', () => {
    const data = JSON.stringify({ scanAlertId: 3, triggerId: 12, symbol: 'BHP', text: 'BHP 51 entered' });
    expect(readScanTrigger(data, 5)).toMatchObject({
      key: 'scan 12',
      of: 'scan',
      alertId: 3,
      at: 5,
      symbol: 'BHP',
    });
    expect(readScanTrigger('nonsense', 5)).toBeNull();
  });
});
