import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import type { Pages } from './usePages.ts';

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
