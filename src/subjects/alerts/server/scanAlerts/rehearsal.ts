import {
  COOLDOWN_MINUTES,
  DAY_MAXIMUM,
  type ScanAlertInput,
  type ScanScope,
  type WatchedScan,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import {
  checkCount,
  checkEvent,
  checkScope,
  checkWatchedScan,
  listsOfScan,
} from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type { RehearsedScan, RehearseScan } from '#subjects/alerts/rules/scanAlerts/scanRehearsal.ts';
import type { ScanRehearsal } from '#subjects/alerts/rules/scanAlerts/scanTrigger.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { isOnSide } from '#subjects/conditions/rules/scanLists.ts';
import { accepted } from '#platform/http/errors.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Market } from '#market/types.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import type { ScanAlertsDeps, SentScanAlert } from './change.ts';

/** All stocks of the market are run: seconds of work. */
const A_MINUTE = 10;
/** What was found is found again all day: who changes only the name, or comes back, needs not wait. */
const KEPT = 50;

export type ScanRehearsalsDeps = {
  clock: Stopwatch;
  market: Pick<Market, 'all' | 'date'>;
  scansOf: Indicators['scansOf'];
  watched(userId: number, listId?: number | null): readonly string[];
  listsOf: ScanAlertsDeps['listsOf'];
  rehearseScan: RehearseScan;
};

/** Runs alerts on scans over the past, before they are saved. */
export class ScanRehearsals {
  private readonly count: (userId: number) => void;
  private readonly kept = new Map<string, ScanRehearsal>();

  constructor(private readonly deps: ScanRehearsalsDeps) {
    this.count = createUserLimit(deps.clock, A_MINUTE, 'Too many backtests.');
  }

  /** @throws AppError 400 naming what is at fault, 429, 503 */
  async rehearse(userId: number, sent: SentScanAlert, signal?: AbortSignal): Promise<ScanRehearsal> {
    const scan = this.checked(userId, sent);
    const key = JSON.stringify([this.deps.market.date(), scan, this.logicOf(userId, scan)]);
    const known = this.kept.get(key);
    if (known) return known;
    this.count(userId);
    const found = await this.deps.rehearseScan(userId, scan, signal);
    this.kept.set(key, found);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(oldest);
    }
    return found;
  }

  private checked(userId: number, sent: SentScanAlert): RehearsedScan {
    const { scansOf } = this.deps;
    const event = accepted(checkEvent(sent.event ?? 'enters'));
    const scope = accepted(checkScope(sent.scope ?? 'market'));
    const scan = accepted(checkWatchedScan(sent.scan, event, scansOf(userId), this.deps.listsOf(userId)));
    const { cooldown_minutes: cooldown = COOLDOWN_MINUTES.start, day_maximum: maximum = DAY_MAXIMUM.start } =
      sent;
    const limits: Pick<ScanAlertInput, 'cooldownMinutes' | 'dayMaximum'> = {
      cooldownMinutes: accepted(checkCount(cooldown, 'cooldown_minutes', 'The cooldown', COOLDOWN_MINUTES)),
      dayMaximum: accepted(checkCount(maximum, 'day_maximum', 'The maximum of a day', DAY_MAXIMUM)),
    };
    const codes = this.codesOf(userId, scan, scope);
    return { scan, event, codes, ...limits };
  }

  /** Of a saved scan: it may have been edited since it was run. */
  private logicOf(userId: number, { scan }: RehearsedScan): Logic | null {
    return scan.type === 'scan' ? (this.deps.scansOf(userId)(scan.id)?.logic ?? null) : null;
  }

  /** The stocks that count: those of the scope, as far as the scan looks at them. */
  private codesOf(userId: number, scan: WatchedScan, scope: ScanScope): readonly string[] {
    const { market, scansOf, watched } = this.deps;
    const codes = scope === 'market' ? [...market.all().keys()] : watched(userId);
    const groups = listsOfScan(scan, scansOf(userId)).map((any) =>
      any.map(({ side, id }) => ({ side, listed: new Set(watched(userId, id)) })),
    );
    return codes.filter((code) =>
      groups.every((any) => any.some(({ side, listed }) => isOnSide(side, listed, code))),
    );
  }
}
