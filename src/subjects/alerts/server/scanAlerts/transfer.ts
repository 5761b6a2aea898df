import { isRecord, type JsonRecord } from '../../../../lib/json.ts';
import { refusalText } from '../../../../platform/http/errors.ts';
import type { Giving, Taking, TransferKind } from '../../../transfer/rules/kind.ts';
import { Tally } from '../../../transfer/rules/outcome.ts';
import { mannerOf } from '../../rules/manner.ts';
import type { Places } from '../../rules/review/brokenPlaces.ts';
import type { ScanAlert } from '../../rules/scanAlerts/scanAlert.ts';
import { destinationsInFile, takenDestinations } from '../../rules/takenPlaces.ts';
import { NO_SCAN_HERE, putOnOrOff } from '../transfer.ts';
import { putScanAlert, type ScanAlertsDeps, type SentScanAlert } from './change.ts';
import { type ScanAlertRow, toScanAlert } from './store.ts';

const inFile = (alert: ScanAlert, places: Places, scanNumbers: Giving['scanNumbers']) => ({
  name: alert.name,
  // A scan that was deleted has no number.
  scan: alert.scan.type === 'scan' ? { ...alert.scan, id: scanNumbers.get(alert.scan.id) ?? 0 } : alert.scan,
  event: alert.event,
  scope: alert.scope,
  cooldown_minutes: alert.cooldownMinutes,
  day_maximum: alert.dayMaximum,
  minute_maximum: alert.minuteMaximum,
  active: alert.active,
  event_guard: alert.guard,
  ...mannerOf(alert),
  destinations: destinationsInFile(alert.destinations, places),
});

type ScanAlertInFile = JsonRecord & { active: boolean };

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);

/** As a person knows it. */
function calledIn({ name, scan }: ScanAlertInFile): string {
  const watched = isRecord(scan) ? textOr(scan['name'], textOr(scan['key'], 'A scan')) : 'A scan';
  return textOr(name, watched);
}

/** The scan with its id here; null where it is not here. */
function watchedHere(scan: unknown, scanIds: Taking['scanIds']): unknown {
  if (!isRecord(scan) || scan['type'] !== 'scan') return scan;
  const id = scanIds.get(Number(scan['id']));
  return id === undefined ? null : { type: 'scan', id };
}

/** Takes the scan alerts of a file, one after the other. */
class ScanAlertTaking {
  readonly tally = new Tally();
  readonly rows: ScanAlertRow[] = [];
  /** Those here that no alert of the file was found to be. */
  private readonly here: ScanAlertRow[];
  private readonly places: Places;

  constructor(
    private readonly deps: ScanAlertsDeps,
    private readonly taking: Taking,
  ) {
    this.here = deps.store.ofUser(taking.userId);
    this.places = deps.placesOf(taking.userId);
  }

  take(alert: ScanAlertInFile): void {
    const name = calledIn(alert);
    const scan = watchedHere(alert['scan'], this.taking.scanIds);
    if (scan === null) return this.tally.leaveOut(name, NO_SCAN_HERE);
    if (this.isHere(alert, scan)) return this.tally.keep();
    const { destinations, note } = takenDestinations(alert['destinations'], this.places);
    try {
      this.insert({ ...alert, scan, destinations, version: undefined, snoozed_until: undefined }, name);
    } catch (problem) {
      return this.tally.leaveOut(name, refusalText(problem));
    }
    this.tally.add();
    if (note !== null) this.tally.note(name, note);
  }

  /** Two that are the same in the file are two here. */
  private isHere(alert: ScanAlertInFile, scan: unknown): boolean {
    const keyOf = (one: unknown): unknown => (isRecord(one) ? (one['id'] ?? one['key']) : null);
    const at = this.here.findIndex(
      (one) =>
        keyOf(one.scan) === keyOf(scan) &&
        one.event === alert['event'] &&
        one.scope === alert['scope'] &&
        one.name === (alert['name'] ?? null),
    );
    if (at === -1) return false;
    this.here.splice(at, 1);
    return true;
  }

  private insert(sent: SentScanAlert, name: string): void {
    const put = (active: boolean) =>
      void this.rows.push(putScanAlert(this.deps, this.taking.userId, { ...sent, active }));
    const isOn = this.taking.switchOn && sent.active === true;
    putOnOrOff(put, isOn, (sentence) => this.tally.note(name, sentence));
  }
}

/** The alerts on whole scans of users, in a transfer file. */
export const scanAlertsKind = (deps: ScanAlertsDeps): TransferKind => ({
  give({ userId, scanNumbers }) {
    const places = deps.placesOf(userId);
    return deps.store.ofUser(userId).map((row) => inFile(toScanAlert(row), places, scanNumbers));
  },
  take(taking, value) {
    const work = new ScanAlertTaking(deps, taking);
    for (const alert of value as ScanAlertInFile[]) work.take(alert);
    return {
      outcome: work.tally.outcome(),
      afterwards() {
        for (const row of work.rows) deps.engine.put(toScanAlert(row));
        deps.indicators.alertsChanged([taking.userId]);
      },
    };
  },
});
