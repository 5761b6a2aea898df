/**
 * A value that windows of this browser share. Corrupt or foreign content counts as absent; a browser that
 * refuses storage (private mode, full disk) keeps working without it.
 */
export function readStored<T>(key: string, accept: (value: unknown) => T | null): T | null {
  const text = readText(key);
  if (text === null) return null;
  try {
    return accept(JSON.parse(text));
  } catch {
    return null; // Not JSON: written by something else or cut off. The caller falls back to its default.
  }
}

export function writeStored(key: string, value: unknown): void {
  writeText(key, value === null ? null : JSON.stringify(value));
}

export function readText(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null; // Storage is switched off in this browser.
  }
}

/** Writes plain text; null removes the key. */
export function writeText(key: string, value: string | null): void {
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
