import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { isPlainLine } from '#lib/text.ts';
import { quoted } from '#lib/wording.ts';
import { type Condition, conditionsOf, isGroup, type Logic } from './condition.ts';
import type { Operand, ScanRef } from './operand.ts';
import { SCAN_BORDER, SCAN_QUESTIONS } from './scanFields.ts';
import type { ScanLists } from './scanLists.ts';

/** A scan of the custom scanner that its owner saved. */
export type SavedScan = {
  id: number;
  name: string;
  logic: Logic;
  /** Whose stocks it looks at; null for all of the market. */
  lists: ScanLists | null;
  /** A sentence saying what it names that no longer exists; null when everything does. */
  problem: string | null;
};

/** A saved scan as its owner's list has it. Times are epoch ms. */
export type ListedScan = Omit<SavedScan, 'problem'> & { createdAt: number; updatedAt: number };
/** With a sentence saying what it names that no longer exists; null when everything does. */
export type ScanView = ListedScan & Pick<SavedScan, 'problem'>;

/** Gives a saved scan of one user by its id; null for one that was deleted, and for anybody else's. */
export type ScanOf = (id: number) => SavedScan | null;

/** Gives the saved scans of a user. */
export type ScansOf = (userId: number) => ScanOf;

/** For users without saved scans. */
export const NO_SCANS: ScanOf = () => null;

/** Whether a value is a saved scan, as a side of a condition names it. */
export const isScanRef = (value: unknown): value is ScanRef => isRecord(value) && value['type'] === 'scan';

/** Conditions that read a saved scan and nothing else. */
export const inScan = (lhs: ScanRef): Logic => ({
  op: 'AND',
  conditions: [{ lhs, op: '>', rhs: { type: 'number', value: SCAN_BORDER } }],
});

/** The saved scans that conditions read, each once. */
export function scanRefs(logic: Logic): ScanRef[] {
  const found = conditionsOf(logic).flatMap(({ lhs }) => (isScanRef(lhs) ? [lhs] : []));
  return [...new Map(found.map((ref) => [ref.id, ref])).values()];
}

/** The conditions without those that read a saved scan; a group that had only such is gone. */
export function withoutScans(logic: Logic): Logic {
  const isKept = ({ lhs }: Condition): boolean => !isScanRef(lhs);
  const conditions = logic.conditions.flatMap((member): Logic['conditions'] => {
    if (!isGroup(member)) return isKept(member) ? [member] : [];
    const kept = member.conditions.filter(isKept);
    return kept.length > 0 ? [{ ...member, conditions: kept }] : [];
  });
  return { op: 'AND', conditions };
}

/** The conditions with the names that their saved scans have now; one that was deleted keeps its last. */
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
 * A text that is the same for conditions that ask the same, whatever their saved scans are called: each stands there with
 * its own conditions, so that an edit of a scan makes another text.
 */
export const logicKey = (logic: Logic, scanOf: ScanOf): string =>
  JSON.stringify(logic, (_key, value: unknown) =>
    isScanRef(value) ? { scan: value.id, logic: watchable(scanOf(value.id)) } : value,
  );

const hasCrossing = (logic: Logic): boolean =>
  conditionsOf(logic).some(({ op }) => op === 'crosses_above' || op === 'crosses_below');

/**
 * The conditions of a scan that an alert on one stock can follow: a stock can be in it for longer than a moment, and it
 * looks at all stocks. Null for any other scan, and for none.
 */
export const watchable = (scan: SavedScan | null): Logic | null =>
  scan === null || scan.logic.conditions.length === 0 || hasCrossing(scan.logic) || scan.lists !== null
    ? null
    : scan.logic;

/** Why an alert can't read a scan, in a sentence; null when it can. */
function problemOf({ name, logic, lists, problem }: SavedScan): string | null {
  const called = `Your scan "${name}"`;
  if (logic.conditions.length === 0) return `${called} has no conditions, so no stock enters or leaves it.`;
  if (hasCrossing(logic)) {
    return `${called} looks for a crossing, which is over in a moment, so an alert can't wait for it. Put the crossing into the alert itself.`;
  }
  if (lists !== null) {
    return `${called} looks by your lists, which an alert on one stock can't follow. Take the lists out of it, or set an alert on the whole scan.`;
  }
  return problem === null ? null : `${called} can't be followed: ${problem}`;
}

/**
 * Checks a side of a condition that names a saved scan. The name is the scan's own, whatever was sent.
 * @returns the reference; or a refusal whose field is 'id', null when it is no scan at all
 */
export type ScanCheck = (sent: unknown) => Result<ScanRef>;

/** @param judge what is said of the scan of that id; `name` is what was sent as its name */
const byId =
  (judge: (id: number, name: unknown) => Result<ScanRef>): ScanCheck =>
  (sent) => {
    if (!isScanRef(sent)) return refuse('A saved scan has the type "scan" and its id.');
    const { id, name }: { id: unknown; name?: unknown } = sent;
    return Number.isSafeInteger(id)
      ? judge(Number(id), name)
      : refuse('A saved scan is named by its id, a whole number.', 'id');
  };

/** Takes scans that an alert can follow. */
export const followedScans = (scanOf: ScanOf): ScanCheck =>
  byId((id, name) => {
    const scan = scanOf(id);
    if (scan === null) {
      const called = typeof name === 'string' && name !== '' ? ` "${quoted(name)}"` : '';
      return refuse(`Your scan${called} does not exist any more. Choose another one.`, 'id');
    }
    const problem = problemOf(scan);
    return problem === null ? ok({ type: 'scan', id, name: scan.name }) : refuse(problem, 'id');
  });

/** Takes any scan, also one that is gone or can't be followed, for callers that leave those out and name them. */
export const namedScans = (scanOf: ScanOf): ScanCheck =>
  byId((id) => ok({ type: 'scan', id, name: scanOf(id)?.name ?? 'that was deleted' }));

/** For users without saved scans. */
export const noScans: ScanCheck = followedScans(NO_SCANS);

/** A stock is in a saved scan or not: only what SCAN_QUESTIONS ask is asked of it. */
export function checkScanQuestion(op: string, rhs: Operand): Result<Operand> {
  if (!SCAN_QUESTIONS.some((question) => question.op === op)) {
    return refuse(
      'A saved scan is entered (crosses_above), left (crosses_below), or has the stock (>) or not (<).',
      'op',
    );
  }
  return rhs.type === 'number' && rhs.value === SCAN_BORDER
    ? ok(rhs)
    : refuse(`A saved scan is compared with ${SCAN_BORDER}, between out and in.`, 'rhs');
}

export const MAX_SCAN_NAME_LENGTH = 60;

/**
 * Checks the name of a scan of the custom scanner; that no other scan of its owner has it is for the server to say.
 *
 * @returns the name, trimmed
 */
export function checkScanName(typed: string): Result<string> {
  const name = typed.trim();
  if (name === '') return refuse('Give the scan a name.', 'name');
  if (name.length > MAX_SCAN_NAME_LENGTH)
    return refuse(`The name of a scan has at most ${MAX_SCAN_NAME_LENGTH} characters.`, 'name');
  return isPlainLine(name)
    ? ok(name)
    : refuse('The name of a scan is one line of plain text, without invisible characters.', 'name');
}

/**
 * Conditions, perhaps unchecked, whose saved scans are named by other numbers: those of a file in the place of this
 * server's, or the other way.
 * @returns null where one of their saved scans has no number
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
