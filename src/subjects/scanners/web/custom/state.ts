import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { operandId, type Ref } from '#subjects/conditions/rules/operand.ts';
import { MESSAGES } from '#texts/messages.ts';
import type { Refusal } from '#lib/result.ts';
import { readCount } from '#lib/read.ts';
import { compareNames } from '#lib/unicode.ts';
import { messageOf, readerOf, readRefusal, refusalOf, request } from '#web/api/client.ts';
import { Loader } from '#web/shared/loader.ts';
import { confirmSaved } from '#web/shared/saved.ts';
import { leaveView } from '#web/shared/scannerRequests.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { fetchScans } from '#subjects/indicators/web/shared/ownScans.ts';
import { followScans, announceScans } from '#web/shared/scanChannel.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { newScanAlert, saveScanAlert } from '#subjects/alerts/web/shared/alertRequests.ts';
import { scanAlertsChanged } from '#subjects/alerts/web/shared/alertStream.ts';
import { confirmAdded } from '#subjects/alerts/web/shared/scanAlertToasts.ts';
import { keptScanAnswer, prefsAnswer } from '#subjects/indicators/answers/scans.ts';

const fetchRefs = async (): Promise<readonly Ref[]> =>
  (await request('GET /api/indicators/prefs', { read: readerOf(prefsAnswer) })).prefs.refs;

/** `scan` is null if the answer has none; `refusal` is set for a 409, when the name is taken. */
const readKept = (body: unknown) => ({
  scan: keptScanAnswer.read(body)?.scan ?? null,
  refusal: readRefusal(body, 'The scan could not be saved.'),
});

type ScanChoice = { name: string; logic: Logic; lists: ScanLists | null };

const keepScan = async (id: number | null, scan: ScanChoice) =>
  id === null
    ? await request('POST /api/indicators/scans', { body: scan, read: readKept })
    : await request('PUT /api/indicators/scans/:id', { params: { id }, body: scan, read: readKept });

const ACTIVE_SCAN_KEY = 'bellbird.customScan';

const savedScans = signal<readonly ScanView[] | null>(null);
const selection = signal<readonly Ref[]>([]);
const draftIndicators = signal<readonly Ref[]>([]);
const activeScanId = signal<number | null>(null);
const changeFailure = signal<string | null>(null);

const loader = new Loader(async (given) => {
  const [list, refs] = await Promise.all([fetchScans(), fetchRefs()]);
  if (given.aborted) return;
  batch(() => {
    savedScans.value = list;
    selection.value = refs;
    activeScanId.value = readStored(ACTIVE_SCAN_KEY, readCount);
  });
}, MESSAGES.customScanner.load);

export const scans: ReadonlySignal<readonly ScanView[] | null> = savedScans;
export const selectedIndicators: ReadonlySignal<readonly Ref[]> = selection;
export const loadError: ReadonlySignal<string | null> = loader.error;
export const changeError: ReadonlySignal<string | null> = changeFailure;
/** The scan that filters the table; null shows all stocks. */
export const activeScan: ReadonlySignal<ScanView | null> = computed(
  () => savedScans.value?.find(({ id }) => id === activeScanId.value) ?? null,
);

export function dismissChangeError(): void {
  changeFailure.value = null;
}

/** Chooses the scan (null shows all stocks), stores the choice in this browser and ends a market view. */
export function activateScan(id: number | null): void {
  leaveView();
  activeScanId.value = id;
  writeStored(ACTIVE_SCAN_KEY, id);
}

export const loadScans = loader.load;

/** Reloads when another window of this browser changes a scan. Returns the stop function. */
export const followOtherWindows = (): (() => void) => followScans(() => void loadScans());

const distinct = (refs: readonly Ref[]): Ref[] => [
  ...new Map(refs.map((ref) => [operandId(ref), ref])).values(),
];

/** Requests the values of the selection and of an open editor. Returns whether the server accepted the request. */
async function sendIndicators(): Promise<boolean> {
  try {
    const refs = distinct([...selection.peek(), ...draftIndicators.peek()]);
    await request('POST /api/indicators/prefs', { body: { refs } });
    return true;
  } catch (problem) {
    changeFailure.value = messageOf(problem, MESSAGES.customScanner.saveSelection);
    return false;
  }
}

/** Changes the selection; the old one returns if the server refuses. */
export async function selectIndicators(next: readonly Ref[]): Promise<void> {
  const before = selection.peek();
  selection.value = distinct(next);
  changeFailure.value = null;
  if (!(await sendIndicators())) {
    selection.value = before;
    return;
  }
  confirmSaved();
  announceScans();
}

/** Requests values for a scan before it is saved, until `dropDraftIndicators`. */
export async function addDraftIndicators(indicators: readonly Ref[]): Promise<void> {
  draftIndicators.value = distinct([...draftIndicators.peek(), ...indicators]);
  await sendIndicators();
}

/** Ends the editor's own request. A saved scan gets the values of its indicators automatically. */
export async function dropDraftIndicators(): Promise<void> {
  if (draftIndicators.peek().length === 0) return;
  draftIndicators.value = [];
  await sendIndicators();
}

/** Saves a scan and activates it. @param id null for a new one @returns why it was not saved; null on success */
export async function saveScan(id: number | null, choice: ScanChoice): Promise<Refusal | null> {
  try {
    const { scan, refusal } = await keepScan(id, choice);
    if (refusal !== null) return refusal;
    if (scan) showSaved({ ...scan, problem: null });
    else await loadScans();
    announceScans();
    return null;
  } catch (problem) {
    return refusalOf(problem, 'The scan could not be saved. Try again.');
  }
}

function showSaved(saved: ScanView): void {
  batch(() => {
    const others = (savedScans.peek() ?? []).filter((scan) => scan.id !== saved.id);
    savedScans.value = [...others, saved].sort((a, b) => compareNames(a.name, b.name));
    activateScan(saved.id);
  });
}

/** Adds an alert with the usual options when stocks enter a scan that was just saved. */
export async function addAlertOn(scan: WatchedScan): Promise<void> {
  try {
    const alert = await saveScanAlert(newScanAlert(scan), null);
    scanAlertsChanged();
    confirmAdded(alert);
  } catch (problem) {
    changeFailure.value = `The scan is saved without an alert. ${messageOf(problem, MESSAGES.watchlist.saveAlert)}`;
  }
}

/** A name that no scan has, ignoring case: 'Dips', 'Dips 2'. */
export function freeName(base: string): string {
  const used = new Set((savedScans.peek() ?? []).map(({ name }) => name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? base : `${base} ${count}`;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}

export async function duplicateScan(scan: ScanView): Promise<void> {
  const refusal = await saveScan(null, {
    name: freeName(`${scan.name.slice(0, 50)} copy`),
    logic: scan.logic,
    lists: scan.lists,
  });
  changeFailure.value = refusal?.message ?? null;
  if (refusal === null) confirmSaved();
}

/** Deletes a scan; if it was active, the table shows all stocks. Returns whether it is deleted. */
export async function removeScan(id: number): Promise<boolean> {
  try {
    await request('DELETE /api/indicators/scans/:id', { params: { id } });
    batch(() => {
      savedScans.value = (savedScans.peek() ?? []).filter((scan) => scan.id !== id);
      if (activeScanId.peek() === id) activateScan(null);
    });
    announceScans();
    return true;
  } catch (problem) {
    changeFailure.value = messageOf(problem, 'The scan could not be deleted. Try again.');
    return false;
  }
}

export function resetScans(): void {
  batch(() => {
    savedScans.value = null;
    selection.value = [];
    draftIndicators.value = [];
    activeScanId.value = null;
    loader.reset();
    changeFailure.value = null;
  });
}
