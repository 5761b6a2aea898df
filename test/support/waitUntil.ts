/**
 * Waits for something that happens independently.
 * @param limitMs after which it fails; by default more than a busy machine needs @throws after the limit, naming the condition
 */
export async function waitUntil(what: string, isSo: () => boolean, limitMs = 45_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`Timed out waiting for ${what}.`);
    await Bun.sleep(5);
  }
}
