/** Somebody who walks through rows with a key held down passes thirty a second: only where they stop is fetched. */
export const SETTLE_MS = 150;

/** Takes the stocks that are chosen elsewhere: the first at once, of those that follow quickly the last. */
export function createFollowing(show: (code: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let next: string | null = null;
  function settle(): void {
    timer = undefined;
    if (next === null) return;
    const code = next;
    next = null;
    show(code);
    timer = setTimeout(settle, SETTLE_MS);
  }
  return {
    take(code: string): void {
      if (timer === undefined) {
        show(code);
        timer = setTimeout(settle, SETTLE_MS);
        return;
      }
      next = code;
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
