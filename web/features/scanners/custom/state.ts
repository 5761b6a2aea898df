import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { operandId } from '../../../../src/domain/conditions/operandText.ts';
import type { Logic } from '../../../../src/domain/conditions/condition.ts';
import type { Ref } from '../../../../src/domain/conditions/operand.ts';
import { MESSAGES } from '../../../../src/domain/messages.ts';
import { readCount } from '../../../../src/lib/read.ts';
import { messageOf } from '../../../shared/api/client.ts';
import { readStored, writeStored } from '../../../shared/storage.ts';
import type { ScanView } from '../../../../src/features/indicators/service.ts';
import { deleteScan, fetchRefs, fetchScans, keepScan, postRefs } from './api.ts';

const ACTIVE_KEY = 'bellbird.customScan';
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bellbird-scans');

const scanList = signal<readonly ScanView[] | null>(null);
const chosen = signal<readonly Ref[]>([]);
/** Indicators that an open editor needs values of, before its scan is saved. */
const draftRefs = signal<readonly Ref[]>([]);
const loadFailure = signal<string | null>(null);
const failure = signal<string | null>(null);
const activeId = signal<number | null>(null);

/** The user's saved scans; null until they are loaded. */
export const scans: ReadonlySignal<readonly ScanView[] | null> = scanList;
/** The indicators the user has chosen as further columns. */
export const refs: ReadonlySignal<readonly Ref[]> = chosen;
/** Why scans and indicators are missing; null when they are not. */
export const loadError: ReadonlySignal<string | null> = loadFailure;
/** Why the last change was not kept. */
export const changeError: ReadonlySignal<string | null> = failure;
/** The scan that filters the table; null shows every stock. */
export const activeScan: ReadonlySignal<ScanView | null> = computed(
  () => scanList.value?.find(({ id }) => id === activeId.value) ?? null,
);

export function dismissChangeError(): void {
  failure.value = null;
}

/** Chooses the scan that filters; remembered in this browser. */
export function activate(id: number | null): void {
  activeId.value = id;
  writeStored(ACTIVE_KEY, id);
}

/** Reads scans and chosen indicators from the server. A failure is kept in `loadError`. */
export async function loadScans(): Promise<void> {
  loadFailure.value = null;
  try {
    const [list, own] = await Promise.all([fetchScans(), fetchRefs()]);
    batch(() => {
      scanList.value = list;
      chosen.value = own;
      activeId.value = readStored(ACTIVE_KEY, readCount);
    });
  } catch (problem) {
    loadFailure.value = messageOf(problem, MESSAGES.customScanner.load);
  }
}

/** Reloads when another window of this browser changed something. Returns the stop function. */
export function followScans(): () => void {
  const listen = () => void loadScans();
  channel?.addEventListener('message', listen);
  return () => channel?.removeEventListener('message', listen);
}

const tell = (): void => channel?.postMessage('changed');

const distinct = (list: readonly Ref[]): Ref[] => [
  ...new Map(list.map((ref) => [operandId(ref), ref])).values(),
];

/** Sends what is chosen and what is borrowed; the server brings values for both. Returns whether it was kept. */
async function sendRefs(): Promise<boolean> {
  try {
    await postRefs(distinct([...chosen.peek(), ...draftRefs.peek()]));
    return true;
  } catch (problem) {
    failure.value = messageOf(problem, MESSAGES.customScanner.saveSelection);
    return false;
  }
}

/** Replaces the chosen indicators; puts the old ones back when the server refuses. */
export async function chooseRefs(next: readonly Ref[]): Promise<void> {
  const before = chosen.peek();
  chosen.value = distinct(next);
  failure.value = null;
  if (await sendRefs()) tell();
  else chosen.value = before;
}

/** Asks for values that an editor wants to show; given back when it closes. */
export async function addDraftRefs(more: readonly Ref[]): Promise<void> {
  draftRefs.value = distinct([...draftRefs.peek(), ...more]);
  await sendRefs();
}

/** Gives back what was borrowed: a saved scan brings its own values. */
export async function dropDraftRefs(): Promise<void> {
  if (draftRefs.peek().length === 0) return;
  draftRefs.value = [];
  await sendRefs();
}

/**
 * Saves a scan and makes it the one that filters.
 * @param id null for a new one
 * @returns null, or the sentence to show
 */
export async function saveScan(id: number | null, name: string, logic: Logic): Promise<string | null> {
  try {
    const { scan, error } = await keepScan(id, name, logic);
    if (error !== null) return error;
    if (scan) show({ ...scan, problem: null });
    else await loadScans();
    tell();
    return null;
  } catch (problem) {
    return messageOf(problem, 'The scan could not be saved. Try again.');
  }
}

/** Puts a saved scan into the list, and makes it the one that filters. */
function show(saved: ScanView): void {
  batch(() => {
    const others = (scanList.peek() ?? []).filter((scan) => scan.id !== saved.id);
    scanList.value = [...others, saved].sort((a, b) => a.name.localeCompare(b.name, 'en'));
    activate(saved.id);
  });
}

/** A name that is not taken yet: 'Dips copy', 'Dips copy 2'. */
function copyName(name: string, taken: readonly string[]): string {
  const base = `${name.slice(0, 50)} copy`;
  const used = new Set(taken.map((one) => one.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? base : `${base} ${count}`;
    if (!used.has(wanted.toLowerCase())) return wanted;
  }
}

export async function duplicateScan(scan: ScanView): Promise<void> {
  const names = (scanList.peek() ?? []).map(({ name }) => name);
  failure.value = await saveScan(null, copyName(scan.name, names), scan.logic);
}

/** Deletes a scan. Returns whether it worked. */
export async function removeScan(id: number): Promise<boolean> {
  try {
    await deleteScan(id);
    batch(() => {
      scanList.value = (scanList.peek() ?? []).filter((scan) => scan.id !== id);
      if (activeId.peek() === id) activate(null);
    });
    tell();
    return true;
  } catch (problem) {
    failure.value = messageOf(problem, 'The scan could not be deleted. Try again.');
    return false;
  }
}

/** Forgets everything; when the screen is left, and for tests. */
export function forgetScans(): void {
  batch(() => {
    scanList.value = null;
    chosen.value = [];
    draftRefs.value = [];
    loadFailure.value = null;
    failure.value = null;
    activeId.value = null;
  });
}
