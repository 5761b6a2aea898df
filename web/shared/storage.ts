/** Where a value is kept over reloads: for all windows of this browser, or for this window alone. */
type Place = 'browser' | 'window';

/** To be called where a browser that refuses storage is seen to: it throws. */
const storageOf = (place: Place): Storage =>
  place === 'browser' ? window.localStorage : window.sessionStorage;

/**
 * A value that was kept.
 * @param accept gives the value in its form, or null for content that is not of it
 * @returns null when nothing is kept, when it is corrupt or not accepted, and when the browser refuses storage
 */
export function readStored<T>(
  key: string,
  accept: (value: unknown) => T | null,
  place: Place = 'browser',
): T | null {
  const text = readStoredText(key, place);
  return text === null ? null : accept(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Not JSON: written by something else or cut off. It counts as absent.
  }
}

/** Keeps a value as JSON; null removes it. Does nothing but warn in a browser that refuses storage. */
export function writeStored(key: string, value: unknown, place: Place = 'browser'): void {
  writeStoredText(key, value === null ? null : JSON.stringify(value), place);
}

/** Text that is kept as it is; null when there is none or the browser refuses storage. */
export function readStoredText(key: string, place: Place = 'browser'): string | null {
  try {
    return storageOf(place).getItem(key);
  } catch {
    return null; // Storage is switched off in this browser.
  }
}

/** Keeps text as it is; null removes it. Does nothing but warn in a browser that refuses storage. */
export function writeStoredText(key: string, value: string | null, place: Place = 'browser'): void {
  try {
    if (value === null) storageOf(place).removeItem(key);
    else storageOf(place).setItem(key, value);
  } catch (problem) {
    console.warn(`${key} could not be stored; it lasts until this window is closed or reloaded.`, problem);
  }
}

/** Calls back when another window changed one of the keys (or cleared everything). Returns the stop function. */
export function onStored(keys: readonly string[], changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === null || keys.includes(event.key)) changed();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
