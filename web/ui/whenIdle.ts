/**
 * Does something when the page has nothing else to do, at the latest after some time.
 * @param within ms
 * @returns takes it back
 */
export function whenIdle(run: () => void, within: number): () => void {
  // Safari has no idle callbacks.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(run, within);
    return () => clearTimeout(timer);
  }
  const id = window.requestIdleCallback(run, { timeout: within });
  return () => window.cancelIdleCallback(id);
}
