import Newspaper from 'lucide-react/icons/newspaper';
import type { ReactNode } from 'react';
import { hasNewsIcon } from '../../../../src/domain/market/announcements.ts';
import './NameCell.css';
import { type QuoteLink, quoteLinkUrl } from '../../../../src/domain/market/quoteLink.ts';
import type { ScannerRow } from '../../../../src/domain/scanners/membership.ts';

export type NameCellProps = {
  row: ScannerRow;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  quoteLink: QuoteLink;
  /** The code without the company's name. */
  isShort: boolean;
  inTabOrder: boolean;
};

/** Code and company, linked to the chosen quote site when there is one, and an icon when there is news today. */
export function NameCell({ row, today, quoteLink, isShort, inTabOrder }: NameCellProps): ReactNode {
  const url = quoteLinkUrl(quoteLink, row.code);
  const name = (
    <>
      <span className="name-cell-code">{row.code}</span>
      {!isShort && <span className="name-cell-company">{row.name}</span>}
    </>
  );
  return (
    <span className="name-cell" title={row.name}>
      {url ? (
        <a
          className="name-cell-stock"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={inTabOrder ? 0 : -1}
        >
          {name}
        </a>
      ) : (
        <span className="name-cell-stock">{name}</span>
      )}
      {hasNewsIcon(row, today) && (
        <Newspaper className="name-cell-news" size={13} role="img" aria-label="News today" />
      )}
    </span>
  );
}
