/** Lets so many in at once and so many wait; the rest are turned away. */
export type Gate = {
  /** Resolves when it is the caller's turn, with the function that ends it; null at once when there is no room. */
  enter(): Promise<(() => void) | null>;
};

/**
 * Bounds concurrent work and the queue before it.
 * @param limits.atOnce how many may work at the same time
 * @param limits.waiting how many may wait for their turn
 */
export function createGate(limits: { atOnce: number; waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let working = 0;

  const leaveOnce = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = queue.shift();
      if (next) next();
      else working -= 1;
    };
  };

  return {
    async enter() {
      if (working < limits.atOnce) {
        working += 1;
        return leaveOnce();
      }
      if (queue.length >= limits.waiting) return null;
      // The place of whoever leaves is handed on, so `working` stands.
      await new Promise<void>((turn) => queue.push(turn));
      return leaveOnce();
    },
  };
}
