/**
 * A value that windows of this browser share, kept over reloads.
 * @param accept gives the value in its form, or null for content that is not of it
 * @returns null when nothing is kept, when it is corrupt or not accepted, and when the browser refuses storage
 */
export function readStored<T>(key: string, accept: (value: unknown) => T | null): T | null {
  const text = readStoredText(key);
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
export function writeStored(key: string, value: unknown): void {
  writeStoredText(key, value === null ? null : JSON.stringify(value));
}

/** Text that is kept as it is; null when there is none or the browser refuses storage. */
export function readStoredText(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null; // Storage is switched off in this browser.
  }
}

/** Keeps text as it is; null removes it. Does nothing but warn in a browser that refuses storage. */
export function writeStoredText(key: string, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, value);
  } catch (problem) {
    console.warn(`${key} could not be stored; it lasts until this window closes.`, problem);
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
