import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign';
import Newspaper from 'lucide-react/icons/newspaper';
import type { ReactNode } from 'react';
import { SENSITIVE_BUT_UNPUBLISHED } from '../../../src/domain/market/announcements.ts';
import { TooltipButton } from '../../ui/TooltipButton.tsx';
import './NewsMark.css';

export type NewsMarkProps = {
  isSensitive: boolean;
  /** Today's newest; null when none was published. */
  headline: string | null;
  inTabOrder: boolean;
};

// Made once: a line of a table that shows another row draws its mark anew, and the shapes are most of it.
const NEWS_ICON = <Newspaper size={13} role="img" aria-label="News today" />;
const SENSITIVE_ICON = <CircleDollarSign size={15} role="img" aria-label="News today" />;

/** That there is news today, with another shape when some of it is price sensitive; its tooltip is the headline. */
export function NewsMark({ isSensitive, headline, inTabOrder }: NewsMarkProps): ReactNode {
  return (
    <span className={isSensitive ? 'news-mark is-sensitive' : 'news-mark'}>
      <TooltipButton
        label={isSensitive ? 'Price-sensitive news today' : 'News today'}
        text={headline ?? (isSensitive ? SENSITIVE_BUT_UNPUBLISHED : null)}
        inTabOrder={inTabOrder}
      >
        {isSensitive ? SENSITIVE_ICON : NEWS_ICON}
      </TooltipButton>
    </span>
  );
}
