import type { ReactNode } from 'react';
import type { Announcement } from '../../../../market/rules/stock.ts';
import { isWebAddress } from './isWebAddress.ts';

type DocumentLinkProps = { item: Pick<Announcement, 'headline' | 'url'>; className: string };

/** A headline, as the link to its document where there is one. */
export function DocumentLink({ item, className }: DocumentLinkProps): ReactNode {
  if (!isWebAddress(item.url)) return <span className={className}>{item.headline}</span>;
  return (
    <a className={className} href={item.url} target="_blank" rel="noopener noreferrer">
      {item.headline}
    </a>
  );
}
