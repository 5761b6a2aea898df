import { isRecord, type JsonRecord } from '#lib/json.ts';
import { ok, refuse, type Result, within } from '#lib/result.ts';
import { checkLiveSymbol } from '#market/rules/liveSymbols.ts';
import { checkScanFilters, type ScanFilters, usualFilters } from '#market/scanners/rules/filters.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';
import type { App } from '#platform/app.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import {
  checkWatchedScan,
  listsOfFilters,
  listsOfScan,
} from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { ALERT_LOGIC, type Logic, type LogicKind, SCAN_LOGIC } from '#subjects/conditions/rules/condition.ts';
import {
  followedScans,
  type SavedScan,
  type ScanCheck,
  scanRefs,
} from '#subjects/conditions/rules/savedScan.ts';
import { checkScanLists, isOnSide, type ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { AskedOdds, OddsScan } from '../rules/asked.ts';
import { checkOddsSettings } from '../rules/settings.ts';

const NO_SCAN = 'Choose a scanner, a saved scan, an alert or conditions.';
const SUBJECT = /^(?:draft|(?:scan|alert):\d{1,12})$/;

/** A checked scan, what its variants are counted for, and its name. */
export type Chosen = { asked: AskedOdds; subject: string; name: string };
type Found = { scan: OddsScan; lists: readonly (readonly ScanLists[])[]; subject: string; name: string };

export type SentOdds = { scan?: unknown; settings?: unknown; subject?: string | undefined };

const DRAFT_NAME = 'Conditions';

/** Finds what users choose, by the rules of their scans and alerts. */
export class ScanChoice {
  constructor(private readonly app: App) {}

  /** @throws AppError 400 with the field, 404 for another user's or a deleted alert */
  check(userId: number, { scan, settings, subject }: SentOdds): Chosen {
    const checkedSettings = accepted(within('settings', checkOddsSettings(settings)));
    const found = this.find(userId, scan, subject);
    const asked: AskedOdds = {
      scan: found.scan,
      settings: checkedSettings,
      scans: this.scansIn(userId, found.scan),
      listed: this.listed(userId, found.lists),
    };
    return { asked, subject: found.subject, name: found.name };
  }

  private find(userId: number, sent: unknown, subject: string | undefined): Found {
    if (!isRecord(sent)) throw new AppError(400, { message: NO_SCAN, field: 'scan' });
    switch (sent['type']) {
      case 'scanner':
      case 'scan':
        return this.watched(userId, sent);
      case 'alert':
        return this.alert(userId, sent['id']);
      case 'logic':
        return this.draft(userId, sent, accepted(checkSubject(subject)));
      default:
        throw new AppError(400, { message: NO_SCAN, field: 'scan.type' });
    }
  }

  private watched(userId: number, sent: unknown): Found {
    const { indicators, watchlist } = this.app;
    const scanOf = indicators.scansOf(userId);
    const scan = accepted(checkWatchedScan(sent, 'enters', scanOf, watchlist.listsOf(userId)));
    if (scan.type === 'announcements') throw new AppError(400, { message: NO_SCAN, field: 'scan.type' });
    const lists = listsOfScan(scan, scanOf);
    if (scan.type === 'scanner') {
      const { key, filters = usualFilters(key) } = scan;
      return {
        scan: { type: 'scanner', key, filters },
        lists,
        subject: `scanner:${key}`,
        name: SCANNERS[key].title,
      };
    }
    // `checkWatchedScan` refuses a scan that does not exist.
    const logic = scanOf(scan.id)?.logic ?? { op: 'AND', conditions: [] };
    return { scan: logicScan(logic, scan.filters), lists, subject: `scan:${scan.id}`, name: scan.name };
  }

  private alert(userId: number, id: unknown): Found {
    const alert = Number.isSafeInteger(id) ? this.app.alerts.get(userId, Number(id)) : null;
    if (!alert) throw new AppError(404, 'That alert no longer exists. Reload the list.');
    const { logic, symbol, name } = alert;
    return {
      scan: { type: 'logic', logic, symbol },
      lists: [],
      subject: `alert:${alert.id}`,
      name: name ?? symbol,
    };
  }

  private draft(userId: number, sent: JsonRecord, subject: string): Found {
    const { indicators, market, watchlist } = this.app;
    const own = watchlist.listsOf(userId);
    const common = { subject, name: DRAFT_NAME };
    const { symbol: typed } = sent;
    if (typed !== undefined) {
      const code = typeof typed === 'string' ? typed : '';
      const symbol = accepted(within('scan', checkLiveSymbol(code, market.all())));
      const checkScan = followedScans(indicators.scansOf(userId));
      const logic = this.logic(sent['logic'], ALERT_LOGIC, checkScan);
      return { ...common, scan: { type: 'logic', logic, symbol }, lists: [] };
    }
    const filters = accepted(checkScanFilters('custom', sent['filters'], own));
    const chosen = accepted(within('scan.lists', checkScanLists(sent['lists'], own)));
    const scan = logicScan(this.logic(sent['logic'], SCAN_LOGIC), filters ?? undefined);
    return { ...common, scan, lists: [...(chosen ? [[chosen]] : []), ...listsOfFilters(filters?.lists)] };
  }

  private logic(sent: unknown, kind: LogicKind, checkScan?: ScanCheck): Logic {
    const catalog = this.app.indicators.catalog.current();
    const logic = accepted(within('scan.logic', checkLogic(catalog, sent, kind, checkScan)));
    if (logic.conditions.length > 0) return logic;
    throw new AppError(400, { message: 'Add at least one condition.', field: 'scan.logic.conditions' });
  }

  private scansIn(userId: number, scan: OddsScan): SavedScan[] {
    if (scan.type === 'scanner') return [];
    const scanOf = this.app.indicators.scansOf(userId);
    return scanRefs(scan.logic).flatMap(({ id }) => scanOf(id) ?? []);
  }

  /** The listed stocks that are on all of these lists; null if there are no lists. */
  private listed(userId: number, groups: Found['lists']): string[] | null {
    if (groups.length === 0) return null;
    const { market, watchlist } = this.app;
    const sides = groups.map((any) =>
      any.map(({ side, id }) => ({ side, listed: new Set(watchlist.symbols(userId, id)) })),
    );
    return [...market.all().keys()].filter((code) =>
      sides.every((any) => any.some(({ side, listed }) => isOnSide(side, listed, code))),
    );
  }
}

const logicScan = (logic: Logic, filters: ScanFilters | undefined): OddsScan => ({
  type: 'logic',
  logic,
  ...(filters && { filters }),
});

function checkSubject(subject: string | undefined): Result<string> {
  if (subject === undefined) return ok('draft');
  return SUBJECT.test(subject)
    ? ok(subject)
    : refuse('The subject must be `scan:` or `alert:` with an id, or `draft`.', 'subject');
}
