import type { ListedScan, ScanView } from '../../../../conditions/rules/savedScan.ts';
import type { Refusal } from '../../../../../lib/result.ts';
import { readCount, readList, readRecord, readText, readTime } from '../../../../../lib/read.ts';
import { readAnswer, readRefusal } from '../../../../../../web/api/client.ts';
import { readLogic, readRef } from '../../../../conditions/web/shared/readConditions.ts';
import type { Ref } from '../../../../conditions/rules/operand.ts';

/** A saved scan; null for one whose conditions this page can't follow. */
function readScan(value: unknown): ScanView | null {
  const given = readRecord(value);
  const id = readCount(given.id);
  const logic = readLogic(given.logic);
  if (id === null || logic === null) return null;
  return {
    id,
    name: readText(given.name) ?? `Scan ${id}`,
    logic,
    createdAt: readTime(given.createdAt) ?? 0,
    updatedAt: readTime(given.updatedAt) ?? 0,
    problem: readText(given.problem),
  };
}

/** GET /indicators/scans. */
export const readScans = (body: unknown): { scans: ScanView[] } => ({
  scans: readList(readAnswer(body).scans, readScan),
});

/** The scan as it is kept, null when the answer does not say; or why it was refused (409: the name is taken). */
export type KeptScan = { scan: ListedScan | null; refusal: Refusal | null };

/** POST and PUT /indicators/scans. */
export const readKeptScan = (body: unknown): KeptScan => ({
  scan: readScan(readRecord(body).scan),
  refusal: readRefusal(body, 'The scan could not be saved.'),
});

/** GET /indicators/prefs (specification 7.2): the chosen indicators. */
export function readPrefs(body: unknown): { prefs: { refs: Ref[] } } {
  const { refs } = readRecord(readAnswer(body).prefs);
  return { prefs: { refs: readList(refs, readRef) } };
}
