import type { App } from '#platform/app.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readTime } from '#lib/read.ts';
import { refusalText } from '#platform/http/errors.ts';
import { withScanNumbers } from '#subjects/conditions/rules/savedScan.ts';
import { type ImportContext, Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';
import { type Alert, destinationsInFile, importedDestinations } from '../rules/alert.ts';
import { pickValues, STOCK_OPTIONS, valuesOf, type OptionValues } from '../answers/options.ts';
import { whyNotListed } from '../rules/watchlist.ts';
import type { Places } from '../rules/recipient.ts';
import type { Alerts, SentStockAlert } from './service.ts';
import type { AlertRow } from './store.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';

export const NO_SCAN_HERE = 'They use a saved scan that does not exist here. Import your scans too.';
export const OVER = 'They have expired. They are imported switched off, without an expiry time.';
const OFF = 'Switched off: ';

/**
 * Imports an item. If it cannot be active, it is imported switched off with the reason as a note.
 * @param put imports the item, on or off
 * @param isOn whether it should be on
 * @param note adds a sentence
 * @throws AppError 400 if it cannot be imported
 */
export function putOnOrOff(
  put: (isOn: boolean) => void,
  isOn: boolean,
  note: (sentence: string) => void,
): void {
  try {
    put(isOn);
  } catch (problem) {
    const reason = refusalText(problem);
    if (!isOn) throw problem;
    put(false);
    note(OFF + reason);
  }
}

const inFile = (alert: Alert, places: Places, scanNumbers: ReadonlyMap<number, number>) => ({
  symbol: alert.symbol,
  active: alert.active,
  ...valuesOf(STOCK_OPTIONS, alert),
  // A deleted scan is not in the file, so it has no number.
  logic_json: withScanNumbers(alert.logic, (id) => scanNumbers.get(id) ?? 0),
  destinations: destinationsInFile(alert.destinations, places),
});

type AlertInFile = JsonRecord & OptionValues<typeof STOCK_OPTIONS> & { symbol: string; active: boolean };

class AlertImport {
  readonly tally = new Tally();
  readonly rows: AlertRow[] = [];
  /** Existing alerts that match none of the file yet. */
  private readonly here: AlertRow[];
  private readonly places: Places;
  private readonly refuseTooMany: (field: string, logic: unknown) => void;

  constructor(
    private readonly alerts: Alerts,
    private readonly app: App,
    private readonly context: ImportContext,
  ) {
    this.here = alerts.store.ofUser(context.userId);
    this.places = app.placesOf(context.userId);
    this.refuseTooMany = app.indicators.counting(context.userId);
  }

  importValue(alert: AlertInFile): void {
    const name = [alert.symbol, alert['name']].filter((part) => typeof part === 'string').join(' ');
    const { scanIds } = this.context;
    const why = whyNotListed(alert.symbol, this.app.market.all());
    if (why !== null) return this.tally.leaveOut(name, why);
    const logic = isRecord(alert['logic_json'])
      ? withScanNumbers(alert['logic_json'], (number) => scanIds.get(number))
      : {};
    if (logic === null) return this.tally.leaveOut(name, NO_SCAN_HERE);
    if (this.isHere(alert, logic)) return this.tally.keep();
    this.put(alert, name, logic);
  }

  /** Whether the alert exists here. Each existing alert matches once, so that two equal alerts in the file stay two. */
  private isHere(alert: AlertInFile, sent: unknown): boolean {
    const checked = this.alerts.checkLogic(this.context.userId, sent);
    const logic = checked.ok ? checked.value : sent;
    const at = this.here.findIndex(
      (one) =>
        one.symbol === normaliseSymbol(alert.symbol) &&
        one.name === (alert['name'] ?? null) &&
        one.persistent === alert['persistent'] &&
        Bun.deepEquals(one.logic, logic),
    );
    if (at === -1) return false;
    this.here.splice(at, 1);
    return true;
  }

  private put(alert: AlertInFile, name: string, logic: unknown): void {
    const at = readTime(alert.expires_at);
    const isOver = at !== null && at <= this.alerts.marketNow();
    const { destinations, note } = importedDestinations(alert['destinations'], this.places);
    const sent = {
      ...pickValues(STOCK_OPTIONS, alert),
      symbol: alert.symbol,
      logic_json: logic,
      destinations,
      ...(isOver && { expires_at: null }),
    };
    try {
      this.insert(sent, name, this.context.switchOn && alert.active && !isOver);
    } catch (problem) {
      return this.tally.leaveOut(name, refusalText(problem));
    }
    this.tally.add();
    if (isOver) this.tally.note(name, OVER);
    if (note !== null) this.tally.note(name, note);
  }

  private insert(sent: SentStockAlert, name: string, active: boolean): void {
    const put = (isOn: boolean) => {
      const check = (_userId: number, _id: number | null, logic: unknown) =>
        this.refuseTooMany('logic_json', logic);
      this.rows.push(this.alerts.put(this.context.userId, { ...sent, active: isOn }, check));
    };
    putOnOrOff(put, active, (sentence) => this.tally.note(name, sentence));
  }
}

export const alertsKind = (alerts: Alerts, app: App): TransferKind => ({
  exportValue({ userId, scanNumbers }) {
    const places = app.placesOf(userId);
    return alerts.list(userId).map((alert) => inFile(alert, places, scanNumbers));
  },
  importValue(context, value) {
    const work = new AlertImport(alerts, app, context);
    for (const alert of value as AlertInFile[]) work.importValue(alert);
    return { outcome: work.tally.outcome(), afterwards: () => alerts.imported(context.userId, work.rows) };
  },
});
