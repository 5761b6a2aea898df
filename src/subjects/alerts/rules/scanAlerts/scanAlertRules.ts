import { MINUTE_MS } from '#lib/units.ts';
import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { checkScanFilters, type FilterList, type ScanFilters } from '#market/scanners/rules/filters.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { type Condition, conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import type { SavedScan, ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import { SCAN_BORDER, scanFieldOf } from '#subjects/conditions/rules/scanFields.ts';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { cooldownMs } from '../alert.ts';
import { PARTLY_CHECKED } from '../alertState.ts';
import { traitsOf } from './membership.ts';
import { checkWatchedNews } from './watchedNews.ts';
import { type ScanAlertInput } from './scanAlert.ts';
import { type ScanEvent } from '#subjects/alerts/answers/options.ts';
import {
  SHARED_SCANNERS,
  type SharedScanner,
  type WatchedScan,
  type WatchedScanner,
} from '#subjects/alerts/answers/scanAlert.ts';

const isSharedScanner = (key: unknown): key is SharedScanner => SHARED_SCANNERS.some((one) => one === key);

function problemOfSaved({ name, logic, problem }: SavedScan, event: ScanEvent): string | null {
  const called = `Your scan "${name}"`;
  if (conditionsOf(logic).length === 0)
    return `${called} has no conditions, so no stock enters or leaves it.`;
  if (event === 'leaves' && traitsOf(logic).isMomentary) {
    return `${called} uses a crossing, which lasts only a moment, so it cannot be left. Choose Enters.`;
  }
  return problem === null ? null : `${called} can't be watched: ${problem}`;
}

/** Why an alert cannot watch its scan and what to do about it, as a sentence. @param scanOf the owner's saved scans */
export function scanProblem(scan: WatchedScan, event: ScanEvent, scanOf: ScanOf): string | null {
  if (scan.type !== 'scan') return null;
  const saved = scanOf(scan.id);
  if (saved === null) return `Your scan "${scan.name}" no longer exists. Choose another one.`;
  return problemOfSaved(saved, event);
}

/** A sentence that names the deleted lists by which an alert filters. @param own the owner's lists */
export function goneListsProblem({ type, filters }: WatchedScan, own: readonly FilterList[]): string | null {
  const lists = filters?.lists;
  if (lists === undefined || lists === 'all') return null;
  const gone = lists.filter((list) => own.every(({ id }) => id !== list.id));
  if (gone.length === 0) return null;
  const names = gone.map(({ name }) => `“${name}”`).join(', ');
  const deleted = `your ${gone.length === 1 ? 'list' : 'lists'} ${names} ${gone.length === 1 ? 'was' : 'were'} deleted`;
  return gone.length < lists.length
    ? `${PARTLY_CHECKED}${deleted}. The alert still uses your other lists.`
    : `The alert filters by lists, and ${deleted}. Choose another ${type === 'announcements' ? 'list' : 'scan'}.`;
}

/** The conditions that an alert watches; null for announcements, and for a saved scan that cannot be watched. */
export function watchedLogic(scan: WatchedScan, event: ScanEvent, scanOf: ScanOf): Logic | null {
  if (scan.type === 'announcements') return null;
  if (scan.type === 'scanner') return { op: 'AND', conditions: [inScanner(scan.key, scan.filters)] };
  const logic = scanProblem(scan, event, scanOf) === null ? scanOf(scan.id)?.logic : null;
  return logic ? withFilters(logic, scan.filters) : null;
}

const inScanner = (scanner: ScannerKey, filters?: ScanFilters): Condition => ({
  lhs: { type: 'field', key: scanFieldOf(scanner, filters) },
  op: '>',
  rhs: { type: 'number', value: SCAN_BORDER },
});

/** Adds the filters as the last condition; `look.ts` relies on that order. */
export const withFilters = (logic: Logic, filters: ScanFilters | undefined): Logic =>
  filters ? { ...logic, conditions: [...logic.conditions, inScanner('custom', filters)] } : logic;

/** Watchlists of a watched scan: a stock must be on at least one list of each member. */
export function listsOfScan(scan: WatchedScan, scanOf: ScanOf): readonly (readonly ScanLists[])[] {
  const own = scan.type === 'scan' ? scanOf(scan.id)?.lists : null;
  return [...(own ? [[own]] : []), ...listsOfFilters(scan.filters?.lists)];
}

export function listsOfFilters(lists: ScanFilters['lists']): readonly (readonly ScanLists[])[] {
  const chosen = lists === 'all' ? [{ id: null, name: null }] : lists;
  return chosen ? [chosen.map(({ id, name }) => ({ side: 'on', id, name }))] : [];
}

const NO_SCAN = 'Choose a scanner by its key, one of your saved scans by its id, or announcements.';

export function checkScanner(
  { key, filters }: { key?: unknown; filters?: unknown },
  lists: readonly FilterList[],
): Result<WatchedScanner> {
  if (!isSharedScanner(key)) {
    return refuse(
      'The scanner must be preMarket, intraDaySmall, intraDayMidLarge or intraDayLargeCap.',
      'scan.key',
    );
  }
  const checked = checkScanFilters(key, filters, lists);
  if (!checked.ok) return checked;
  return ok({ type: 'scanner', key, ...(checked.value && { filters: checked.value }) });
}

/** Checks the watched scan. A saved scan gets its own name, whatever was sent. @param lists the owner's lists */
export function checkWatchedScan(
  sent: unknown,
  event: ScanEvent,
  scanOf: ScanOf,
  lists: readonly FilterList[],
): Result<WatchedScan> {
  if (!isRecord(sent)) return refuse(NO_SCAN, 'scan');
  const { type, id } = sent;
  if (type === 'scanner') return checkScanner(sent, lists);
  if (type === 'announcements') return checkWatchedNews(sent, lists);
  if (type !== 'scan') return refuse(NO_SCAN, 'scan');
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) {
    return refuse('The id of a saved scan must be a whole number.', 'scan.id');
  }
  const saved = scanOf(id);
  if (saved === null) return refuse('That scan no longer exists. Choose another one.', 'scan.id');
  const problem = problemOfSaved(saved, event);
  if (problem !== null) return refuse(problem, 'scan.id');
  const checked = checkScanFilters('custom', sent['filters'], lists);
  if (!checked.ok) return checked;
  return ok({ type, id, name: saved.name, ...(checked.value && { filters: checked.value }) });
}

/** What is sent for a stock that entered or left: its own message, a place in the summary, or nothing. */
type Dispatched = 'single' | 'summed' | 'held back';

type Firings = { count: number; coolUntil: number };

/** Enforces the limits of one scan alert, in ms of the monotonic clock. The caller resets a session's counts. */
export type MessageLimits = {
  isOpen(symbol: string, now: number, limits: Limits): boolean;
  dispatch(symbol: string, now: number, limits: Limits): Dispatched;
  /** End of the minute that began with the first message; null if no minute has begun. */
  endOfMinute(): number | null;
  endMinute(): void;
  /** Begins a minute whose messages are all combined. */
  beginCombined(now: number): void;
  /** Restores the count of an earlier run in this session. @param coolUntil ms of the monotonic clock */
  restore(symbol: string, count: number, coolUntil: number): void;
  /** Resets the session's counts; cooldowns continue. */
  nextSession(now: number): void;
};

export type Limits = Pick<ScanAlertInput, 'cooldownMinutes' | 'dayMaximum' | 'minuteMaximum'>;

export function createMessageLimits(): MessageLimits {
  const firings = new Map<string, Firings>();
  let minute: { until: number; singles: number } | null = null;

  function isOpen(symbol: string, now: number, { dayMaximum }: Limits): boolean {
    const known = firings.get(symbol);
    return !known || (known.count < dayMaximum && now >= known.coolUntil);
  }

  return {
    isOpen,
    dispatch(symbol, now, limits) {
      if (!isOpen(symbol, now, limits)) return 'held back';
      firings.set(symbol, {
        count: (firings.get(symbol)?.count ?? 0) + 1,
        coolUntil: now + cooldownMs(limits.cooldownMinutes),
      });
      minute ??= { until: now + MINUTE_MS, singles: 0 };
      if (minute.singles >= limits.minuteMaximum) return 'summed';
      minute.singles += 1;
      return 'single';
    },
    endOfMinute: () => minute?.until ?? null,
    endMinute() {
      minute = null;
    },
    beginCombined(now) {
      minute = { until: now + MINUTE_MS, singles: Number.POSITIVE_INFINITY };
    },
    restore: (symbol, count, coolUntil) => void firings.set(symbol, { count, coolUntil }),
    nextSession(now) {
      for (const [symbol, one] of firings) {
        if (one.coolUntil > now) one.count = 0;
        else firings.delete(symbol);
      }
    },
  };
}
