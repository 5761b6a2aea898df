/** For all windows of this browser, or for this window only; kept over reloads. */
type Place = 'browser' | 'window';

/** Throws if the browser refuses storage; callers handle that. */
const storageOf = (place: Place): Storage =>
  place === 'browser' ? window.localStorage : window.sessionStorage;

/**
 * @param accept converts the value; null rejects it
 * @returns null if missing, corrupt or rejected, or if the browser refuses storage
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

/** Null removes it. Only warns if the browser refuses storage. */
export function writeStored(key: string, value: unknown, place: Place = 'browser'): void {
  writeStoredText(key, value === null ? null : JSON.stringify(value), place);
}

/** Null if missing, or if the browser refuses storage. */
export function readStoredText(key: string, place: Place = 'browser'): string | null {
  try {
    return storageOf(place).getItem(key);
  } catch {
    return null; // Storage is switched off in this browser.
  }
}

/** Null removes it. Only warns if the browser refuses storage. */
export function writeStoredText(key: string, value: string | null, place: Place = 'browser'): void {
  try {
    if (value === null) storageOf(place).removeItem(key);
    else storageOf(place).setItem(key, value);
  } catch (problem) {
    console.warn(`${key} could not be stored; it lasts until this window is closed or reloaded.`, problem);
  }
}

/** Called when another window changed one of the keys or cleared all. Returns the stop function. */
export function onStored(keys: readonly string[], changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === null || keys.includes(event.key)) changed();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
