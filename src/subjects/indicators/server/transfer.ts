import { nameKey } from '#lib/text.ts';
import { AppError, accepted, refusalText } from '#platform/http/errors.ts';
import { within } from '#lib/result.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import { type NamedList, readScanLists, withListName } from '#subjects/conditions/rules/scanLists.ts';
import { checkRef } from '#subjects/conditions/rules/operand.ts';
import {
  type Imported,
  type ImportContext,
  Tally,
  type TransferKind,
} from '#subjects/transfer/rules/kind.ts';
import { putScan, type IndicatorTools, type SentScan } from './scans.ts';
import { MAX_SELECTED } from './valueUse.ts';
import type { ScanRow } from './store.ts';

/** A saved scan in an exported file; alerts in the file refer to its number. */
type ScanInFile = {
  number: number;
  name: string;
  logic: unknown;
  /** A list by name; a null name means any list. */
  lists?: { side: string; name: string | null } | null;
};

function sameScan(
  { store, catalog }: IndicatorTools,
  userId: number,
  { name, logic, lists = null }: ScanInFile,
): { id: number } | 'other' | null {
  const found = store.scanNamed(userId, nameKey(name));
  if (!found) return null;
  const checked = checkLogic(catalog.current(), logic);
  const isSame = Bun.deepEquals(found.logic, checked.ok ? checked.value : logic);
  const isScope = Bun.deepEquals(listsInFile(found, store.listsOf(userId)), lists);
  return isSame && isScope ? { id: found.id } : 'other';
}

function listsInFile(
  { lists }: ScanRow,
  named: readonly NamedList[],
): NonNullable<ScanInFile['lists']> | null {
  const chosen = withListName(readScanLists(lists), named);
  return chosen && { side: chosen.side, name: chosen.name };
}

const NO_LIST_HERE = 'They use a list that does not exist here. Import your watchlists too.';

/** A scan in the form of a request. @throws AppError 400 for a missing list */
function sentHere(
  { store }: IndicatorTools,
  userId: number,
  { name, logic, lists = null }: ScanInFile,
): SentScan {
  if (lists === null || lists.name === null) return { name, logic, lists };
  const key = nameKey(lists.name);
  const list = store.listsOf(userId).find((one) => nameKey(one.name) === key);
  if (!list) throw new AppError(400, NO_LIST_HERE);
  return { name, logic, lists: { side: lists.side, id: list.id } };
}

const OTHER_SCAN =
  'You already have another scan with this name, which is kept. Rename one of the two to have both.';

function importScans(tools: IndicatorTools, context: ImportContext, scans: readonly ScanInFile[]): Imported {
  const { userId, scanIds } = context;
  const tally = new Tally();
  const refuseTooMany = tools.limits.counting(userId);
  for (const scan of scans) {
    const same = sameScan(tools, userId, scan);
    if (same === 'other') tally.leaveOut(scan.name, OTHER_SCAN);
    else if (same !== null) {
      scanIds.set(scan.number, same.id);
      tally.keep();
    } else {
      try {
        const sent = sentHere(tools, userId, scan);
        scanIds.set(scan.number, putScan(tools, userId, sent, refuseTooMany).id);
        tally.add();
      } catch (problem) {
        tally.leaveOut(scan.name, refusalText(problem));
      }
    }
  }
  return {
    outcome: tally.outcome(),
    afterwards: () => tools.userChanged(userId),
  };
}

const scansKind = (tools: IndicatorTools): TransferKind => ({
  exportValue({ userId, scanNumbers }) {
    const named = tools.store.listsOf(userId);
    return tools.store.scans(userId).map((row, index): ScanInFile => {
      const { id, name, logic } = row;
      scanNumbers.set(id, index + 1);
      return { number: index + 1, name, logic, lists: listsInFile(row, named) };
    });
  },
  match({ userId, scanIds }, value) {
    for (const scan of value as ScanInFile[]) {
      const same = sameScan(tools, userId, scan);
      if (same !== null && same !== 'other') scanIds.set(scan.number, same.id);
    }
  },
  importValue: (context, value) => importScans(tools, context, value as ScanInFile[]),
});

const INDICATORS = 'Indicators of the custom scanner';

/** The selected indicators in an exported file, as one list. */
const selectionKind = ({ store, catalog, limits, userChanged }: IndicatorTools): TransferKind => {
  const saved = (userId: number): readonly unknown[] => {
    const refs = store.refs(userId);
    return Array.isArray(refs) ? (refs as unknown[]) : [];
  };
  return {
    exportValue({ userId }) {
      const refs = saved(userId);
      return refs.length === 0 ? undefined : refs;
    },
    importValue({ userId }, value) {
      const tally = new Tally();
      try {
        const sent = value as unknown[];
        if (sent.length > MAX_SELECTED) {
          throw new AppError(400, `You can choose at most ${MAX_SELECTED} indicators.`);
        }
        const refs = sent.map((ref, index) =>
          accepted(within(`indicators[${index}]`, checkRef(catalog.current(), ref))),
        );
        if (Bun.deepEquals(refs, saved(userId))) tally.keep();
        else {
          limits.refuseTooMany(userId, 'indicators', () => ({ refs }));
          store.saveRefs(userId, refs);
          tally.change();
        }
      } catch (problem) {
        tally.leaveOut(INDICATORS, refusalText(problem));
      }
      return {
        outcome: tally.outcome(),
        afterwards: () => userChanged(userId),
      };
    },
  };
};

export const indicatorKinds = (tools: IndicatorTools) => ({
  indicators: selectionKind(tools),
  scans: scansKind(tools),
});
