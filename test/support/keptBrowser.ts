/**
 * One browser for all who ask.
 *
 * @param launch starts one; where that fails it is tried again when somebody asks again
 * @returns gives the browser, a new one when the last has ended
 */
export function createKept<Kept extends { isConnected(): boolean }>(launch: () => Promise<Kept>) {
  let current: Promise<Kept> | null = null;
  return async function get(): Promise<Kept> {
    current ??= launch();
    const asked = current;
    const browser = await asked.catch(() => null);
    if (browser?.isConnected()) return browser;
    if (current === asked) current = null;
    // The one that failed fails anyone who waited for it.
    return browser === null ? asked : get();
  };
}
