/**
 * Waits for something that another side does in its own time.
 *
 * @throws after twenty seconds, which a busy machine does not take either, naming what was waited for
 */
export async function waitUntil(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`Nothing came of waiting for ${what}.`);
    await Bun.sleep(5);
  }
}
