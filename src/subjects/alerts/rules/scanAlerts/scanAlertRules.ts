import { isRecord } from '../../../../lib/json.ts';
import { ok, refuse, type Result } from '../../../../lib/result.ts';
import { conditionsOf, type Logic } from '../../../conditions/rules/condition.ts';
import type { SavedScan, ScanOf } from '../../../conditions/rules/savedScan.ts';
import { scanFieldOf, SCAN_BORDER } from '../../../conditions/rules/scanFields.ts';
import { traitsOf } from './membership.ts';
import {
  type CountRange,
  type ScanEvent,
  SCAN_EVENTS,
  SCAN_SCOPES,
  type ScanScope,
  SHARED_SCANNERS,
  type SharedScanner,
  type WatchedScan,
} from './scanAlert.ts';
import { rangeText } from './scanAlertText.ts';

const isSharedScanner = (key: unknown): key is SharedScanner => SHARED_SCANNERS.some((one) => one === key);

/** Why no stock can be told to enter or leave a saved scan, in a sentence; null when it can. */
function problemOfSaved({ name, logic, problem }: SavedScan, event: ScanEvent): string | null {
  const called = `Your scan "${name}"`;
  if (conditionsOf(logic).length === 0)
    return `${called} has no conditions, so no stock enters or leaves it.`;
  if (event === 'leaves' && traitsOf(logic).isMomentary) {
    return `${called} looks for a crossing, which is over in a moment, so leaving it means nothing. Choose Enters.`;
  }
  return problem === null ? null : `${called} can't be followed: ${problem}`;
}

/**
 * Why an alert can't follow its scan, in a sentence that says what to do; null when it can.
 * @param scanOf the saved scans of the alert's owner
 */
export function scanProblem(scan: WatchedScan, event: ScanEvent, scanOf: ScanOf): string | null {
  if (scan.type === 'scanner') return null;
  const saved = scanOf(scan.id);
  if (saved === null) return `Your scan "${scan.name}" does not exist any more. Choose another one.`;
  return problemOfSaved(saved, event);
}

/** The conditions of a watched scan; null for a saved one that can't be followed. */
export function watchedLogic(scan: WatchedScan, event: ScanEvent, scanOf: ScanOf): Logic | null {
  if (scan.type === 'scanner') {
    const lhs = { type: 'field', key: scanFieldOf(scan.key) } as const;
    return {
      op: 'AND',
      conditions: [{ lhs, op: '>', rhs: { type: 'number', value: SCAN_BORDER } }],
    };
  }
  return scanProblem(scan, event, scanOf) === null ? (scanOf(scan.id)?.logic ?? null) : null;
}

const NO_SCAN = 'Choose a scan: a scanner by its key, or one of your saved scans by its id.';

/** Checks which scan is meant. The name of a saved one is its own, whatever was sent. */
export function checkWatchedScan(sent: unknown, event: ScanEvent, scanOf: ScanOf): Result<WatchedScan> {
  if (!isRecord(sent)) return refuse(NO_SCAN, 'scan');
  const { type, key, id } = sent;
  if (type === 'scanner') {
    return isSharedScanner(key)
      ? ok({ type, key })
      : refuse(
          'A scanner is one of preMarket, intraDaySmall, intraDayMidLarge and intraDayLargeCap.',
          'scan.key',
        );
  }
  if (type !== 'scan') return refuse(NO_SCAN, 'scan');
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) {
    return refuse('A saved scan is named by its id, a whole number.', 'scan.id');
  }
  const saved = scanOf(id);
  if (saved === null) return refuse('That scan does not exist any more. Choose another one.', 'scan.id');
  const problem = problemOfSaved(saved, event);
  return problem === null ? ok({ type, id, name: saved.name }) : refuse(problem, 'scan.id');
}

export const checkEvent = (sent: unknown): Result<ScanEvent> => {
  const event = SCAN_EVENTS.find((one) => one === sent);
  return event ? ok(event) : refuse('A scan alert waits for "enters" or "leaves".', 'event');
};

export const checkScope = (sent: unknown): Result<ScanScope> => {
  const scope = SCAN_SCOPES.find((one) => one === sent);
  return scope ? ok(scope) : refuse('A scan alert looks at the "market" or at your "watchlist".', 'scope');
};

/** @param what the number, as a sentence begins with it: 'The cooldown of a stock, in minutes' */
export const checkCount = (sent: unknown, field: string, what: string, range: CountRange): Result<number> =>
  typeof sent === 'number' && Number.isInteger(sent) && sent >= range.least && sent <= range.most
    ? ok(sent)
    : refuse(`${what} is a whole number ${rangeText(range)}.`, field);
