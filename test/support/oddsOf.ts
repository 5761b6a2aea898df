import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import type { OddsScan } from '#subjects/odds/rules/asked.ts';
import { DEFAULT_ODDS_SETTINGS, type OddsSettings } from '#subjects/odds/rules/settings.ts';
import { type OddsNeeds, OddsRun } from '#subjects/odds/server/engine/run.ts';
import { NO_SCANS } from '#subjects/conditions/rules/savedScan.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import { type RecordedDay, recordedSession } from './recordedSessions.ts';

/** A scan of these conditions. */
export const scanOf = (...conditions: Logic['conditions'] | Condition[]): OddsScan => ({
  type: 'logic',
  logic: { op: 'AND', conditions },
});

/** Settings without costs, so that results are plain price moves. */
export const FREE = { brokerage: 0, minBrokerage: 0, steps: 0 } as const satisfies Partial<OddsSettings>;

type More = Partial<Omit<OddsNeeds, 'scan' | 'settings' | 'dates'>>;

/** Runs the engine on plain sessions. */
export function oddsOf(
  scan: OddsScan,
  settings: Partial<OddsSettings>,
  days: readonly RecordedDay[],
  more: More = {},
): OddsRun {
  const run = new OddsRun({
    scan,
    settings: { ...DEFAULT_ODDS_SETTINGS, ...settings },
    scanOf: NO_SCANS,
    catalog: builtInCatalog(),
    dates: days.map(({ date }) => date),
    adjustments: () => [],
    ignoreStatus: false,
    ...more,
  });
  for (const day of days) {
    const session = recordedSession(day);
    run.begin(session);
    for (const stock of session.stocks()) run.stock(stock);
    run.end();
  }
  return run;
}
