import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import type { SubscriptionType } from '../../src/domain/accounts/accountRules.ts';
import { MESSAGES } from '../../src/domain/messages.ts';
import type { ColumnEntry, Dropped } from '../../src/domain/scanners/columnList.ts';
import type { QuoteSite } from '../../src/domain/market/quoteLink.ts';
import type { ScannerKey } from '../../src/domain/scanners/scanners.ts';
import { api, messageOf, unwrap } from './api/client.ts';
import { endSession, session } from './session/session.ts';

export type Settings = {
  username: string;
  subscriptionType: SubscriptionType;
  requestedSubscriptionType: SubscriptionType | null;
  quoteSite: QuoteSite;
  /** Saved column layouts by scanner; absent means the default layout. */
  columnPreferences: Readonly<Partial<Record<ScannerKey, readonly ColumnEntry[]>>>;
  /** What the server left out of saved layouts because it no longer exists, by scanner. */
  droppedColumns?: Readonly<Partial<Record<ScannerKey, readonly Dropped[]>>>;
};

/** What one window tells the others of the same user. */
type Shared = { username: string; change: Partial<Settings> };

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bellbird-settings');
const state = signal<Settings | null>(null);
const error = signal<string | null>(null);

/** The signed-in user's settings; null while signed out and until they are loaded. */
export const settings: ReadonlySignal<Settings | null> = state;
/** Why the last load failed; null when it did not. */
export const settingsError: ReadonlySignal<string | null> = error;

/** Reads the settings from the server. A failure is kept in `settingsError`. Returns whether it worked. */
export async function loadSettings(): Promise<boolean> {
  const token = session.peek().accessToken;
  error.value = null;
  try {
    const loaded = (await unwrap(api.settings.get())) as Settings;
    // An answer to a session that ended meanwhile belongs to somebody else.
    if (token === session.peek().accessToken) state.value = loaded;
    return true;
  } catch (problem) {
    error.value = messageOf(problem, 'Your settings could not be loaded. Reload the page to try again.');
    return false;
  }
}

/** Changes what is known locally, without telling the server; null settings stay null. */
export function patchSettings(change: Partial<Settings>): void {
  const now = state.peek();
  if (now) state.value = { ...now, ...change };
}

/** As patchSettings, and in the user's other windows too. */
function shareSettings(change: Partial<Settings>): void {
  patchSettings(change);
  const username = state.peek()?.username;
  if (username !== undefined) channel?.postMessage({ username, change } satisfies Shared);
}

/**
 * Saves the columns of one table; open scanners show them at once, those in windows of their own too.
 * @returns the sentence to show, or null when they were saved
 */
export async function saveColumns(
  tableKey: ScannerKey,
  columns: readonly ColumnEntry[],
): Promise<string | null> {
  try {
    const saved = await unwrap(
      api.settings['table-columns'].post({ tableKey, columns: columns.map((entry) => ({ ...entry })) }),
    );
    shareSettings({ columnPreferences: saved.columnPreferences, droppedColumns: saved.dropped });
    return null;
  } catch (problem) {
    return messageOf(problem, MESSAGES.settings.saveColumns);
  }
}

/**
 * Chooses the quote site at once and puts the old one back when the server refuses.
 * @returns the sentence to show, or null when it was saved
 */
export async function saveQuoteSite(quoteSite: QuoteSite): Promise<string | null> {
  const before = state.peek()?.quoteSite;
  if (before === undefined || before === quoteSite) return null;
  patchSettings({ quoteSite });
  try {
    await unwrap(api.settings['quote-site'].post({ site: quoteSite }));
    return null;
  } catch (problem) {
    patchSettings({ quoteSite: before });
    return messageOf(problem, MESSAGES.settings.save);
  }
}

/**
 * Loads the settings whenever somebody signs in and forgets them on logout. At the start a session that can't
 * read its settings is over (spec section 4). Returns the stop function.
 */
export function startSettings(): () => void {
  let atStart = session.peek().isAuthenticated;
  let leaving = false;
  // A reload breaks off the request under way, which says nothing of the session.
  const leave = (): void => {
    leaving = true;
  };
  window.addEventListener('beforeunload', leave);
  window.addEventListener('pagehide', leave);
  const stopFollowing = effect(function followSession() {
    const { isAuthenticated } = session.value;
    const restored = atStart;
    atStart = false;
    if (!isAuthenticated) {
      state.value = null;
      error.value = null;
      return;
    }
    void loadSettings().then((loaded) => {
      if (!loaded && restored && !leaving && session.peek().isAuthenticated) endSession();
    });
  });
  const listen = ({ data }: MessageEvent<Shared>) => {
    if (data.username === state.peek()?.username) patchSettings(data.change);
  };
  channel?.addEventListener('message', listen);
  return () => {
    stopFollowing();
    channel?.removeEventListener('message', listen);
    window.removeEventListener('beforeunload', leave);
    window.removeEventListener('pagehide', leave);
  };
}
