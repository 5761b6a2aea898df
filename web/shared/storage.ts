/** `browser`: shared by all windows. `window`: for this window only. Both survive reloads. */
type Place = 'browser' | 'window';

/** Throws if the browser refuses storage; callers handle that. */
const storageOf = (place: Place): Storage =>
  place === 'browser' ? window.localStorage : window.sessionStorage;

/**
 * @param accept converts the value; null rejects it
 * @returns null if it is missing, corrupt or rejected, or if the browser refuses storage
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
    return null; // Invalid JSON, written by other code or truncated, counts as missing.
  }
}

/** Stores a value; null removes it. If the browser refuses storage, this only logs a warning. */
export function writeStored(key: string, value: unknown, place: Place = 'browser'): void {
  writeStoredText(key, value === null ? null : JSON.stringify(value), place);
}

/** Reads a stored text; null if it is missing, or if the browser refuses storage. */
export function readStoredText(key: string, place: Place = 'browser'): string | null {
  try {
    return storageOf(place).getItem(key);
  } catch {
    return null; // Storage is switched off in this browser.
  }
}

/** Stores a text; null removes it. If the browser refuses storage, this only logs a warning. */
export function writeStoredText(key: string, value: string | null, place: Place = 'browser'): void {
  try {
    if (value === null) storageOf(place).removeItem(key);
    else storageOf(place).setItem(key, value);
  } catch (problem) {
    console.warn(`${key} could not be stored; it lasts until this window is closed or reloaded.`, problem);
  }
}

/** Calls back when another window changed one of the keys or cleared all. Returns the stop function. */
export function onStored(keys: readonly string[], changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === null || keys.includes(event.key)) changed();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
