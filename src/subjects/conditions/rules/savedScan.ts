import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine, wordsOf } from '#lib/text.ts';
import { capitalised, quoted } from '#lib/wording.ts';
import { type Condition, conditionsOf, isGroup, type Logic } from './condition.ts';
import type { Operand, ScanRef } from './operand.ts';
import { SCAN_BORDER, SCAN_QUESTIONS } from './scanFields.ts';
import type { ScanLists } from './scanLists.ts';

export type SavedScan = {
  id: number;
  name: string;
  logic: Logic;
  /** Watchlists that limit the scan's stocks; null for the whole market. */
  lists: ScanLists | null;
  /** A sentence about what the scan refers to that no longer exists; null if nothing is missing. */
  problem: string | null;
};

/** Times are epoch ms. */
export type ListedScan = Omit<SavedScan, 'problem'> & { createdAt: number; updatedAt: number };
/** A scan for its owner; `problem` is a sentence about what no longer exists. */
export type ScanView = ListedScan & Pick<SavedScan, 'problem'>;

/** Finds a user's saved scan by id; null for a deleted scan or another user's. */
export type ScanOf = (id: number) => SavedScan | null;

export type ScansOf = (userId: number) => ScanOf;

export const NO_SCANS: ScanOf = () => null;

export const isScanRef = (value: unknown): value is ScanRef => isRecord(value) && value['type'] === 'scan';

export const inScan = (lhs: ScanRef): Logic => ({
  op: 'AND',
  conditions: [{ lhs, op: '>', rhs: { type: 'number', value: SCAN_BORDER } }],
});

export function scanRefs(logic: Logic): ScanRef[] {
  const found = conditionsOf(logic).flatMap(({ lhs }) => (isScanRef(lhs) ? [lhs] : []));
  return [...new Map(found.map((ref) => [ref.id, ref])).values()];
}

/** Drops conditions that read a saved scan, and groups left without any. */
export function withoutScans(logic: Logic): Logic {
  const isKept = ({ lhs }: Condition): boolean => !isScanRef(lhs);
  const conditions = logic.conditions.flatMap((member): Logic['conditions'] => {
    if (!isGroup(member)) return isKept(member) ? [member] : [];
    const kept = member.conditions.filter(isKept);
    return kept.length > 0 ? [{ ...member, conditions: kept }] : [];
  });
  return { op: 'AND', conditions };
}

/** Updates the names of saved scans; a deleted one keeps its last name. */
export function withScanNames(logic: Logic, scanOf: ScanOf): Logic {
  const named = (condition: Condition): Condition =>
    isScanRef(condition.lhs)
      ? {
          ...condition,
          lhs: { ...condition.lhs, name: scanOf(condition.lhs.id)?.name ?? condition.lhs.name },
        }
      : condition;
  const conditions = logic.conditions.map((member) =>
    isGroup(member) ? { ...member, conditions: member.conditions.map(named) } : named(member),
  );
  return { op: 'AND', conditions };
}

/**
 * A key that is equal for conditions with the same meaning. It contains the conditions of saved scans, not their names,
 * so that editing a scan changes it.
 */
export const logicKey = (logic: Logic, scanOf: ScanOf): string =>
  JSON.stringify(logic, (_key, value: unknown) =>
    isScanRef(value) ? { scan: value.id, logic: watchable(scanOf(value.id)) } : value,
  );

const hasCrossing = (logic: Logic): boolean =>
  conditionsOf(logic).some(({ op }) => op === 'crosses_above' || op === 'crosses_below');

/**
 * The conditions of a scan that an alert on one stock can read; null if it has crossings or watchlists, or no
 * conditions.
 */
export const watchable = (scan: SavedScan | null): Logic | null =>
  scan === null || scan.logic.conditions.length === 0 || hasCrossing(scan.logic) || scan.lists !== null
    ? null
    : scan.logic;

function problemOf({ name, logic, lists, problem }: SavedScan): string | null {
  const called = `Your scan "${name}"`;
  if (logic.conditions.length === 0) return `${called} has no conditions, so no stock enters or leaves it.`;
  if (hasCrossing(logic)) {
    return `${called} uses a crossing, which lasts only a moment, so an alert can't wait for it. Add the crossing to the alert itself.`;
  }
  if (lists !== null) {
    return `${called} filters by your lists, which an alert on one stock can't use. Remove the lists from the scan, or set an alert on the whole scan.`;
  }
  return problem === null ? null : `${called} can't be watched: ${problem}`;
}

/**
 * Checks an operand that refers to a saved scan, and gives it the scan's own name.
 * @returns a refusal names 'id', or null if it is not a scan at all
 */
export type ScanCheck = (sent: unknown) => Result<ScanRef>;

/** @param judge the result for the scan with that id; `name` is the sent name */
const byId =
  (judge: (id: number, name: unknown) => Result<ScanRef>): ScanCheck =>
  (sent) => {
    if (!isScanRef(sent)) return refuse('A saved scan must have the type "scan" and an id.');
    const { id, name }: { id: unknown; name?: unknown } = sent;
    return Number.isSafeInteger(id)
      ? judge(Number(id), name)
      : refuse('The id of a saved scan must be a whole number.', 'id');
  };

export const followedScans = (scanOf: ScanOf): ScanCheck =>
  byId((id, name) => {
    const scan = scanOf(id);
    if (scan === null) {
      const called = typeof name === 'string' && name !== '' ? ` "${quoted(name)}"` : '';
      return refuse(`Your scan${called} no longer exists. Choose another one.`, 'id');
    }
    const problem = problemOf(scan);
    return problem === null ? ok({ type: 'scan', id, name: scan.name }) : refuse(problem, 'id');
  });

/** Accepts any scan, even a deleted one, for callers that drop such conditions and report them. */
export const namedScans = (scanOf: ScanOf): ScanCheck =>
  byId((id) => ok({ type: 'scan', id, name: scanOf(id)?.name ?? 'that was deleted' }));

export const noScans: ScanCheck = followedScans(NO_SCANS);

/** Checks a comparison of a saved scan; only those of SCAN_QUESTIONS are allowed. */
export function checkScanQuestion(op: string, rhs: Operand): Result<Operand> {
  if (!SCAN_QUESTIONS.some((question) => question.op === op)) {
    return refuse(
      'A saved scan can be entered (crosses_above) or left (crosses_below), or contain the stock (>) or not (<).',
      'op',
    );
  }
  return rhs.type === 'number' && rhs.value === SCAN_BORDER
    ? ok(rhs)
    : refuse(`Compare a saved scan with ${SCAN_BORDER}, which is between out and in.`, 'rhs');
}

export const MAX_SCAN_NAME_LENGTH = 60;

/** The longest proposed name: a number may follow it. */
const MAX_PROPOSED_LENGTH = MAX_SCAN_NAME_LENGTH - 4;

/** A name from a phrase, cut at a comma or between words: 'Above its 20-day average, twice its usual volume'. */
export function scanNameFrom(words: string): string {
  const line = capitalised(wordsOf(words).join(' '));
  if (line.length <= MAX_PROPOSED_LENGTH) return line;
  const start = line.slice(0, MAX_PROPOSED_LENGTH + 1);
  const end = [start.lastIndexOf(','), start.lastIndexOf(' ')].find((at) => at > MAX_PROPOSED_LENGTH / 2);
  return line.slice(0, end ?? MAX_PROPOSED_LENGTH);
}

/** Checks the name of a scan. The server also checks that it is unique. @returns the trimmed name */
export function checkScanName(typed: string): Result<string> {
  const name = typed.trim();
  if (name === '') return refuse('Enter a name for the scan.', 'name');
  if (name.length > MAX_SCAN_NAME_LENGTH)
    return refuse(`The name may have at most ${MAX_SCAN_NAME_LENGTH} characters.`, 'name');
  return isPlainLine(name)
    ? ok(name)
    : refuse('The name must be one line of plain text without invisible characters.', 'name');
}

/**
 * Replaces the ids of saved scans in conditions, which may be unchecked: ids of a file by ids of this server, or the
 * reverse.
 * @returns null if a saved scan has no id there
 */
export function withScanNumbers(logic: unknown, numberOf: (id: number) => number | undefined): unknown {
  if (!isRecord(logic)) return logic;
  const { conditions, lhs } = logic;
  if (Array.isArray(conditions)) {
    const members = conditions.map((one: unknown) => withScanNumbers(one, numberOf));
    return members.includes(null) ? null : { ...logic, conditions: members };
  }
  if (!isRecord(lhs) || lhs['type'] !== 'scan') return logic;
  const id = typeof lhs['id'] === 'number' ? numberOf(lhs['id']) : undefined;
  return id === undefined ? null : { ...logic, lhs: { ...lhs, id } };
}
