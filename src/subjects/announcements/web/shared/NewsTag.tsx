import type { ReactNode } from 'react';
import './NewsTag.css';

type NewsTagProps = { isSensitive?: boolean; children: ReactNode };

/** A word or two in a frame beside an announcement or a summary; `isSensitive` makes it stand out. */
export function NewsTag({ isSensitive = false, children }: NewsTagProps): ReactNode {
  return <span className={isSensitive ? 'news-tag is-sensitive' : 'news-tag'}>{children}</span>;
}
