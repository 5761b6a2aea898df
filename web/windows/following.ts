/** Delay before a stock is loaded, ms: holding a key down passes thirty rows a second. */
export const SETTLE_MS = 150;

/** Follows codes chosen elsewhere: shows the first one at once, and only the last of those that follow quickly. */
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
