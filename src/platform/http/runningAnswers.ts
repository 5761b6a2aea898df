/** Answers that are being made: who asks for the same meanwhile waits for it. */
export type RunningAnswers<Answer> = {
  /** @param make called where nobody makes it already */
  of(key: string, make: () => Answer | Promise<Answer>): Promise<Answer>;
  /** How many are being made. */
  size(): number;
  /** What is being made is not given to anybody else. */
  clear(): void;
};

export function createRunningAnswers<Answer>(): RunningAnswers<Answer> {
  const running = new Map<string, Promise<Answer>>();
  return {
    of(key, make) {
      const same = running.get(key);
      if (same) return same;
      const fresh = Promise.resolve(make()).finally(() => {
        // After `clear` another one may stand there.
        if (running.get(key) === fresh) running.delete(key);
      });
      running.set(key, fresh);
      return fresh;
    },
    size: () => running.size,
    clear: () => running.clear(),
  };
}
