import { useEffect, useState } from 'react';

/**
 * What a request answered, for what a chart can do without: what does not come is not shown, and is asked for again when
 * `key` changes. An answer stays while the next one is on its way, unless `of` is another.
 * @param of what the answer is about, such as a symbol; null asks for nothing @param key asks anew when it changes
 */
export function useAnswer<T>(of: string | null, key: string, fetch: (of: string) => Promise<T>): T | null {
  const [answer, setAnswer] = useState<{ of: string; value: T } | null>(null);
  useEffect(() => {
    if (of === null) return;
    let isShown = true;
    fetch(of).then(
      (value) => isShown && setAnswer({ of, value }),
      // The chart itself says when the server is away.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [of, key, fetch]);
  return answer !== null && answer.of === of ? answer.value : null;
}
