import type { App } from '#platform/app.ts';
import { nameKey } from '#lib/text.ts';
import type { SavedScan, ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { refusalText } from '#platform/http/errors.ts';
import {
  type ExportContext,
  type ImportContext,
  Tally,
  type TransferKind,
} from '#subjects/transfer/rules/kind.ts';
import { SCAN_OPTIONS, valuesOf } from '#subjects/alerts/answers/options.ts';
import type { Places } from '#subjects/alerts/rules/recipient.ts';
import { checkScanFilters, type FilterList } from '#market/scanners/rules/filters.ts';
import type { ScanAlert } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { checkScanner } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import { checkWatchedNews } from '#subjects/alerts/rules/scanAlerts/watchedNews.ts';
import { isSameScan } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { destinationsInFile, importedDestinations } from '#subjects/alerts/rules/alert.ts';
import { NO_SCAN_HERE, putOnOrOff } from '../transfer.ts';
import { alertOf } from '../ownRows.ts';
import type { ScanAlertRow } from '../store.ts';
import type { ScanAlerts, SentScanAlert } from './service.ts';

const inFile = (alert: ScanAlert, places: Places, scanNumbers: ExportContext['scanNumbers']) => ({
  // A deleted scan is not in the file, so it has no number.
  scan: alert.scan.type === 'scan' ? { ...alert.scan, id: scanNumbers.get(alert.scan.id) ?? 0 } : alert.scan,
  active: alert.active,
  ...valuesOf(SCAN_OPTIONS, alert),
  destinations: destinationsInFile(alert.destinations, places),
});

type ScanAlertInFile = JsonRecord & { active: boolean };

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);

function calledIn({ name, scan }: ScanAlertInFile): string {
  const { type, name: saved, key } = isRecord(scan) ? scan : {};
  return textOr(name, type === 'announcements' ? 'Announcements' : textOr(saved, textOr(key, 'A scan')));
}

/** The lists of a filter with this server's ids; null if one is missing. */
function listsHere(lists: unknown, own: readonly FilterList[]): unknown {
  if (!Array.isArray(lists)) return lists;
  const ids = (lists as unknown[]).map((one) => {
    const name = nameKey(textOr(isRecord(one) ? one['name'] : null, ''));
    return own.find((list) => nameKey(list.name) === name)?.id;
  });
  return ids.includes(undefined) ? null : ids;
}

const NO_LIST_HERE = 'It uses a list that does not exist here. Import your watchlists too.';

/** A watched scan with this server's ids, or a sentence about what is missing. */
function watchedHere(scan: unknown, scanIds: ImportContext['scanIds'], own: readonly FilterList[]): unknown {
  if (!isRecord(scan)) return scan;
  const { type, filters } = scan;
  const id = type === 'scan' ? scanIds.get(Number(scan['id'])) : null;
  if (id === undefined) return NO_SCAN_HERE;
  const here = id === null ? scan : { type, id, ...(filters !== undefined && { filters }) };
  if (!isRecord(filters) || filters['lists'] === undefined) return here;
  const lists = listsHere(filters['lists'], own);
  return lists === null ? NO_LIST_HERE : { ...here, filters: { ...filters, lists } };
}

/** Caches what all alerts of a file read of their owner, because a query per alert would take too long. */
function readOnce(app: App, userId: number): App {
  const { accounts, indicators, watchlist } = app;
  const lists = watchlist.listsOf(userId);
  const account = accounts.stateOf(userId);
  const scanOf = indicators.scansOf(userId);
  const scans = new Map<number, SavedScan | null>();
  const knownScanOf: ScanOf = (id) => {
    const scan = scans.get(id) ?? scanOf(id);
    scans.set(id, scan);
    return scan;
  };
  return {
    ...app,
    accounts: { ...accounts, stateOf: () => account },
    watchlist: Object.assign(Object.create(watchlist) as typeof watchlist, { listsOf: () => lists }),
    indicators: { ...indicators, scansOf: () => knownScanOf },
  };
}

class ScanAlertImport {
  readonly tally = new Tally();
  readonly rows: ScanAlertRow[] = [];
  /** Existing alerts that match none of the file yet. */
  private readonly here: ScanAlertRow[];
  private readonly places: Places;
  private readonly lists: readonly FilterList[];

  constructor(
    private readonly alerts: ScanAlerts,
    app: App,
    private readonly context: ImportContext,
  ) {
    this.here = alerts.store.ofUser(context.userId);
    this.places = app.placesOf(context.userId);
    this.lists = app.watchlist.listsOf(context.userId);
  }

  importValue(alert: ScanAlertInFile): void {
    const name = calledIn(alert);
    const scan = watchedHere(alert['scan'], this.context.scanIds, this.lists);
    if (typeof scan === 'string') return this.tally.leaveOut(name, scan);
    if (this.isHere(alert, scan)) return this.tally.keep();
    const { destinations, note } = importedDestinations(alert['destinations'], this.places);
    try {
      this.insert({ ...alert, scan, destinations, version: undefined, snoozed_until: undefined }, name);
    } catch (problem) {
      return this.tally.leaveOut(name, refusalText(problem));
    }
    this.tally.add();
    if (note !== null) this.tally.note(name, note);
  }

  /** Whether the alert exists here. Each existing alert matches once, so that two equal alerts in the file stay two. */
  private isHere(alert: ScanAlertInFile, scan: unknown): boolean {
    const sent = this.sameAs(scan);
    const isSame = (own: WatchedScan): boolean => sent !== null && isSameScan(own, sent);
    const at = this.here.findIndex(
      (one) =>
        isSame(one.scan) &&
        one.event === alert['event'] &&
        one.scope === alert['scope'] &&
        one.name === (alert['name'] ?? null),
    );
    if (at === -1) return false;
    this.here.splice(at, 1);
    return true;
  }

  /** What an alert of the file would watch here, even if that cannot be followed; null if unknown. */
  private sameAs(scan: unknown): WatchedScan | null {
    if (!isRecord(scan)) return null;
    if (scan['type'] === 'announcements') {
      const news = checkWatchedNews(scan, this.lists);
      return news.ok ? news.value : null;
    }
    if (scan['type'] === 'scanner') {
      const scanner = checkScanner(scan, this.lists);
      return scanner.ok ? scanner.value : null;
    }
    const checked = checkScanFilters('custom', scan['filters'], this.lists);
    if (!checked.ok) return null;
    return {
      type: 'scan',
      id: Number(scan['id']),
      name: '',
      ...(checked.value && { filters: checked.value }),
    };
  }

  private insert(sent: SentScanAlert, name: string): void {
    const put = (active: boolean) =>
      void this.rows.push(this.alerts.put(this.context.userId, { ...sent, active }));
    const isOn = this.context.switchOn && sent.active === true;
    putOnOrOff(put, isOn, (sentence) => this.tally.note(name, sentence));
  }
}

/** Scan alerts in an exported file. @param reading the same service on another `App` */
export const scanAlertsKind = (
  alerts: ScanAlerts,
  app: App,
  reading: (app: App) => ScanAlerts,
): TransferKind => ({
  exportValue({ userId, scanNumbers }) {
    const places = app.placesOf(userId);
    return alerts.store.ofUser(userId).map((row) => inFile(alertOf(row), places, scanNumbers));
  },
  importValue(context, value) {
    const once = readOnce(app, context.userId);
    const work = new ScanAlertImport(reading(once), once, context);
    for (const alert of value as ScanAlertInFile[]) work.importValue(alert);
    return { outcome: work.tally.outcome(), afterwards: () => alerts.imported(context.userId, work.rows) };
  },
});
