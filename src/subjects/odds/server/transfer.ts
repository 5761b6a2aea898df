import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import { refusalText } from '#platform/http/errors.ts';
import { withScanNumbers } from '#subjects/conditions/rules/savedScan.ts';
import { Tally, type TransferKind } from '#subjects/transfer/rules/kind.ts';
import type { AskedOdds, OddsScan } from '../rules/asked.ts';
import { ScanChoice } from './asked.ts';
import type { SavedOdds } from './saved.ts';
import type { OddsStore } from './store.ts';

/** Saved odds in an exported file, without their entries, which only the server that collected them vouches for. */
type SavedInFile = {
  name: string;
  scan: unknown;
  settings: unknown;
  /** Codes of the stocks to which its lists limited the scan when it was saved. */
  listed?: readonly string[];
};

/** A scan with the ids of another server; null if one of its saved scans is missing there. */
function withIds(scan: unknown, idOf: (id: number) => number | undefined): unknown {
  if (!isRecord(scan) || scan['type'] !== 'logic') return scan;
  const logic = withScanNumbers(scan['logic'], idOf);
  return logic === null ? null : { ...scan, logic };
}

/** The frozen stocks replace the lists, whose ids and stocks differ elsewhere. */
function withoutLists(scan: OddsScan): OddsScan {
  if (!scan.filters) return scan;
  const { lists: _, ...filters } = scan.filters;
  return { ...scan, filters };
}

const SCAN_MISSING = 'It uses a saved scan that does not exist here. Import your scans too.';

export const oddsKind = (app: App, store: OddsStore, saved: SavedOdds): TransferKind => {
  const choice = new ScanChoice(app);
  const isSame = (one: AskedOdds, other: AskedOdds): boolean =>
    Bun.deepEquals([one.scan, one.settings], [other.scan, other.settings]);

  function importOne(userId: number, { name, scan, settings, listed }: SavedInFile, tally: Tally): void {
    const chosen = choice.check(userId, { scan, settings });
    const asked = { ...chosen.asked, listed: listed ?? null };
    const known = store.savedOf(userId);
    if (known.some((row) => row.name === name && isSame(row.asked, asked))) return tally.keep();
    saved.put(userId, { asked, subject: chosen.subject, name });
    tally.add();
  }

  return {
    exportValue: ({ userId, scanNumbers }) =>
      // Oldest first, as the import saves them.
      store
        .savedOf(userId)
        .toReversed()
        .flatMap(({ name, asked }): SavedInFile[] => {
          const scan = withIds(withoutLists(asked.scan), (id) => scanNumbers.get(id));
          return scan === null
            ? []
            : [{ name, scan, settings: asked.settings, ...(asked.listed && { listed: asked.listed }) }];
        }),
    importValue({ userId, scanIds }, value) {
      const tally = new Tally();
      for (const one of value as SavedInFile[]) {
        const scan = withIds(one.scan, (id) => scanIds.get(id));
        if (scan === null) {
          tally.leaveOut(one.name, SCAN_MISSING);
          continue;
        }
        try {
          importOne(userId, { ...one, scan }, tally);
        } catch (problem) {
          tally.leaveOut(one.name, refusalText(problem));
        }
      }
      return { outcome: tally.outcome(), afterwards: () => undefined };
    },
  };
};
