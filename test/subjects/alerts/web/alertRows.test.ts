import { expect, test } from 'bun:test';
import { alertRows } from '../../../../src/subjects/alerts/web/watchlist/allAlerts/alertRows.ts';
import { readAlerts } from '../../../../src/subjects/alerts/web/watchlist/savedAlert.ts';
import { scanAlertsAnswer } from '../../../../src/subjects/alerts/answers/scanAlert.ts';

test('both kinds say by the market’s clock when they fired last, and by the server’s where that is not kept', () => {
  const times = { last_triggered_at: '2026-07-01T00:00:00.000Z' };
  const played = { ...times, last_triggered_market_time: '2026-03-02T01:10:00.000Z' };
  const scan = { scan: { type: 'scanner', key: 'intraDayMidLarge' } };
  const { alerts } = readAlerts('BHP')({
    alerts: [
      { id: 1, ...played },
      { id: 2, ...times },
    ],
  });
  const { scan_alerts } = scanAlertsAnswer.read({
    scan_alerts: [
      { id: 1, ...scan, ...played },
      { id: 2, ...scan, ...times },
    ],
  });
  const read = alertRows(alerts, scan_alerts, { catalog: null, phase: null, companyOf: () => '' });
  const [byMarket, byServer] = [Date.UTC(2026, 2, 2, 1, 10), Date.UTC(2026, 6, 1)];
  expect(read.map(({ lastAt }) => lastAt)).toEqual([byMarket, byServer, byMarket, byServer]);
});
