import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import type { QuoteLink } from '#market/rules/quoteSite.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { readRecord } from '#lib/read.ts';
import type { Refusal } from '#lib/result.ts';
import { messageOf, readerOf, readRefusal, refusalOf, request } from '../api/client.ts';
import { onReconnect } from './onReconnect.ts';
import type { Known } from '#lib/contract/fields.ts';
import { isRecord } from '#lib/json.ts';
import { quoteLinkField, savedColumnsAnswer, settingsAnswer } from '#subjects/settings/answers/settings.ts';
import { endSession, session, setAccessLevel } from '#subjects/accounts/web/shared/session/session.ts';

export type Settings = Known<typeof settingsAnswer>;

/** A message to the user's other windows. */
type Shared = { username: string; change: Partial<Settings> };

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bellbird-settings');
const state = signal<Settings | null>(null);
const error = signal<string | null>(null);
/** Number of imports, after which other data must be reloaded too. */
const importedFiles = signal(0);
/** Changes during each running load, whose answer may be older than they are. */
const underWay = new Set<{ changed: Partial<Settings> }>();

/** The user's settings; null while signed out, and until loaded. */
export const settings: ReadonlySignal<Settings | null> = state;
export const settingsError: ReadonlySignal<string | null> = error;

/** Whether the user can administer: by the level, and by two-factor login if that is required. For display only. */
export const administers: ReadonlySignal<boolean> = computed(
  () => session.value.accessLevel >= 4 && state.value?.lacksSecondFactor !== true,
);

export const setUps: ReadonlySignal<number> = importedFiles;

/** Loads the settings, and retries when network or server return. Returns whether loading worked. */
export async function loadSettings(): Promise<boolean> {
  const token = session.peek().accessToken;
  const load = { changed: {} };
  error.value = null;
  underWay.add(load);
  try {
    const loaded = {
      ...(await request('GET /api/settings', { read: readerOf(settingsAnswer) })),
      ...load.changed,
    };
    // If the session has ended, the answer belongs to another user.
    if (token === session.peek().accessToken) {
      state.value = loaded;
      if (loaded.accessLevel) setAccessLevel(loaded.accessLevel);
    }
    return true;
  } catch (problem) {
    error.value = messageOf(problem, 'Your settings could not be loaded. Reload the page to try again.');
    onReconnect(loadMissingSettings);
    return false;
  } finally {
    underWay.delete(load);
  }
}

/** Call it after an import in any of the user's windows or browsers. */
export function setUpChanged(): void {
  void loadSettings().then(() => {
    importedFiles.value += 1;
  });
}

function loadMissingSettings(): void {
  if (error.peek() !== null && session.peek().isAuthenticated) void loadSettings();
}

/** Changes only the local copy; running loads get the change too. */
export function patchSettings(change: Partial<Settings>): void {
  for (const load of underWay) load.changed = { ...load.changed, ...change };
  const now = state.peek();
  if (now) state.value = { ...now, ...change };
}

/** Like patchSettings, and also changes the user's other windows. */
function shareSettings(change: Partial<Settings>): void {
  patchSettings(change);
  const username = state.peek()?.username;
  if (username !== undefined) channel?.postMessage({ username, change } satisfies Shared);
}

/** Reads a change from another window, which may have another version. */
export function readSettingsChange(value: unknown): Partial<Settings> {
  const { quoteSite, columnPreferences, droppedColumns } = readRecord(value);
  const { members } = settingsAnswer;
  const quoteLink = quoteLinkField.read(quoteSite);
  return {
    ...(quoteLink === null ? {} : { quoteSite: quoteLink }),
    ...(isRecord(columnPreferences)
      ? { columnPreferences: members.columnPreferences.read(columnPreferences) }
      : {}),
    ...(isRecord(droppedColumns) ? { droppedColumns: members.droppedColumns.read(droppedColumns) } : {}),
  };
}

/** Saves columns; open scanners in all windows show them. @returns why they were not saved, or null on success */
export async function saveColumns(
  tableKey: ScannerKey,
  columns: readonly ColumnEntry[],
): Promise<Refusal | null> {
  try {
    const { columnPreferences, dropped, ...values } = await request('POST /api/settings/table-columns', {
      body: { tableKey, columns: columns.map((entry) => ({ ...entry })) },
      read: readerOf(savedColumnsAnswer),
    });
    const asSent = { ...state.peek()?.columnPreferences, [tableKey]: columns };
    shareSettings({ columnPreferences: columnPreferences ?? asSent, droppedColumns: dropped, ...values });
    return null;
  } catch (problem) {
    return refusalOf(problem, MESSAGES.settings.saveColumns);
  }
}

/**
 * Saves the choice. Shows it immediately, and reverts it if the server refuses.
 * @returns why it was not saved, or null on success
 */
export async function saveQuoteLink(quoteLink: QuoteLink): Promise<Refusal | null> {
  const before = state.peek()?.quoteSite;
  if (before === undefined || before === quoteLink) return null;
  patchSettings({ quoteSite: quoteLink });
  const refusal = await postQuoteLink(quoteLink);
  if (refusal !== null) patchSettings({ quoteSite: before });
  return refusal;
}

async function postQuoteLink(site: QuoteLink): Promise<Refusal | null> {
  const fallback = MESSAGES.settings.save;
  try {
    const body = await request('POST /api/settings/quote-site', { body: { site } });
    return readRefusal(body, fallback);
  } catch (problem) {
    return refusalOf(problem, fallback);
  }
}

/**
 * Loads the settings at login and clears them at logout. If a session cannot read them at the start, it has ended
 * (specification, section 4). Returns the stop function.
 */
export function startSettings(): () => void {
  let atStart = session.peek().isAuthenticated;
  let leaving = false;
  // A reload aborts the request, which does not mean that the session has ended.
  const leave = (): void => {
    leaving = true;
  };
  window.addEventListener('beforeunload', leave);
  window.addEventListener('pagehide', leave);
  // Compares tokens, because a change of only the level is the same session.
  const whose = computed(() => session.value.accessToken);
  const stopFollowing = effect(function followSession() {
    const isAuthenticated = whose.value !== null;
    const restored = atStart;
    atStart = false;
    if (!isAuthenticated) {
      state.value = null;
      error.value = null;
      return;
    }
    void loadSettings().then((loaded) => {
      if (!loaded && restored && !leaving && session.peek().isAuthenticated) endSession('expired');
    });
  });
  const listen = ({ data }: MessageEvent<unknown>) => {
    const { username, change } = readRecord(data);
    if (username === state.peek()?.username) patchSettings(readSettingsChange(change));
  };
  channel?.addEventListener('message', listen);
  return () => {
    stopFollowing();
    channel?.removeEventListener('message', listen);
    window.removeEventListener('beforeunload', leave);
    window.removeEventListener('pagehide', leave);
  };
}
