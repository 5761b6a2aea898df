/**
 * Waits for something that another side does in its own time.
 *
 * @param limitMs after which it is given up; unless given, what a busy machine does not take either
 * @throws after the limit, naming what was waited for
 */
export async function waitUntil(what: string, isSo: () => boolean, limitMs = 45_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`Nothing came of waiting for ${what}.`);
    await Bun.sleep(5);
  }
}
