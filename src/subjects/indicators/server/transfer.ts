import { AppError, accepted, refusalText } from '../../../platform/http/errors.ts';
import { within } from '../../../lib/fieldPath.ts';
import { checkLogic } from '../../conditions/rules/checkLogic.ts';
import { checkRef } from '../../conditions/rules/operand.ts';
import type { Taking, Taken, TransferKind } from '../../transfer/rules/kind.ts';
import { Tally } from '../../transfer/rules/outcome.ts';
import { putScan, type ScansDeps } from './scans.ts';
import { MAX_SELECTED } from './limits.ts';
import type { IndicatorStore } from './store.ts';

type Deps = ScansDeps & { store: Pick<IndicatorStore, 'refs' | 'saveRefs'> };

/** A saved scan in a file; its number is by which the file's alerts name it. */
type ScanInFile = { number: number; name: string; logic: unknown };

/** The user's scan of that name, where it has these very conditions. */
function sameScan(
  { store, catalog }: Deps,
  userId: number,
  { name, logic }: ScanInFile,
): { id: number } | 'other' | null {
  const found = store.scanNamed(userId, name.trim().toLowerCase());
  if (!found) return null;
  const checked = checkLogic(catalog.current(), logic);
  const isSame = Bun.deepEquals(found.logic, checked.ok ? checked.value : logic);
  return isSame ? { id: found.id } : 'other';
}

const OTHER_SCAN =
  'You have another scan of this name here, which stays. Rename one of the two to have both.';

function takeScans(deps: Deps, taking: Taking, scans: readonly ScanInFile[]): Taken {
  const { userId, scanIds } = taking;
  const tally = new Tally();
  const refuseTooMany = deps.limits.counting(userId);
  for (const scan of scans) {
    const same = sameScan(deps, userId, scan);
    if (same === 'other') tally.leaveOut(scan.name, OTHER_SCAN);
    else if (same !== null) {
      scanIds.set(scan.number, same.id);
      tally.keep();
    } else {
      try {
        const { name, logic } = scan;
        scanIds.set(scan.number, putScan(deps, userId, { name, logic }, refuseTooMany).id);
        tally.add();
      } catch (problem) {
        tally.leaveOut(scan.name, refusalText(problem));
      }
    }
  }
  return { outcome: tally.outcome(), afterwards: () => deps.userChanged(userId) };
}

/** The saved scans of users, in a transfer file. */
const scansKind = (deps: Deps): TransferKind => ({
  give: ({ userId, scanNumbers }) =>
    deps.store.scans(userId).map(({ id, name, logic }, index): ScanInFile => {
      scanNumbers.set(id, index + 1);
      return { number: index + 1, name, logic };
    }),
  // Their form was checked.
  match({ userId, scanIds }, value) {
    for (const scan of value as ScanInFile[]) {
      const same = sameScan(deps, userId, scan);
      if (same !== null && same !== 'other') scanIds.set(scan.number, same.id);
    }
  },
  take: (taking, value) => takeScans(deps, taking, value as ScanInFile[]),
});

const INDICATORS = 'Indicators of the custom scanner';

/** The indicators that users chose for the custom scanner, in a transfer file: the list as a whole. */
const selectionKind = ({ store, catalog, limits, userChanged }: Deps): TransferKind => {
  const saved = (userId: number): readonly unknown[] => {
    const refs = store.refs(userId);
    return Array.isArray(refs) ? (refs as unknown[]) : [];
  };
  return {
    give({ userId }) {
      const refs = saved(userId);
      return refs.length === 0 ? undefined : refs;
    },
    take({ userId }, value) {
      const tally = new Tally();
      try {
        const sent = value as unknown[];
        if (sent.length > MAX_SELECTED) {
          throw new AppError(400, `At most ${MAX_SELECTED} indicators can be chosen.`);
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
      return { outcome: tally.outcome(), afterwards: () => userChanged(userId) };
    },
  };
};

/** What a transfer file has of this subject. */
export const indicatorKinds = (deps: Deps) => ({
  indicators: selectionKind(deps),
  scans: scansKind(deps),
});
