import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { useRef, useState } from 'react';
import { messageOf } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';

export type Pages<P> = {
  loaded: Loaded<P>;
  /** Why the next page could not be loaded; null when it could. */
  failure: string | null;
  isLoadingMore: boolean;
  /** Loads the next page, if there is one, and adds it. */
  more(): Promise<void>;
};

/**
 * A list that comes page after page. What another list overtook is dropped.
 *
 * @param fetchPage the first page, or the one that begins at `before`; the same function as long as it is the same list
 * @param join one page with the next one behind it
 * @param fallback the sentence for a failure that gives none
 */
export function usePages<P extends { next: number | null }>(
  fetchPage: (before?: number) => Promise<P>,
  join: (page: P, added: P) => P,
  fallback: string,
): Pages<P> {
  const loaded = useLoaded<P>(() => fetchPage(), fallback, { of: fetchPage });
  const [failure, setFailure] = useState<string | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const shown = useRef(loaded.data);
  shown.current = loaded.data;

  async function more(): Promise<void> {
    const page = loaded.data;
    if (page === null || page.next === null || isLoadingMore) return;
    setLoadingMore(true);
    setFailure(null);
    try {
      const added = await fetchPage(page.next);
      if (shown.current === page) loaded.set(join(page, added));
    } catch (problem) {
      if (shown.current === page) setFailure(messageOf(problem, fallback));
    } finally {
      setLoadingMore(false);
    }
  }
  return { loaded, failure, isLoadingMore, more };
}

type MoreButtonProps = {
  pages: Pages<{ next: number | null }>;
  /** What there is more of: 'users'. */
  what: string;
};

/** The way to the next page, and why it could not be loaded. It keeps the focus while it loads. */
export const MoreButton = ({ pages: { loaded, failure, isLoadingMore, more }, what }: MoreButtonProps) => (
  <>
    {failure !== null && <Banner>{failure}</Banner>}
    {loaded.data !== null && loaded.data.next !== null && (
      <Button aria-disabled={isLoadingMore} onClick={() => void more()}>
        {isLoadingMore ? 'Loading…' : `Show more ${what}`}
      </Button>
    )}
  </>
);
