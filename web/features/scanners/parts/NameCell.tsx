import Newspaper from 'lucide-react/icons/newspaper';
import type { ReactNode } from 'react';
import { hasNewsIcon } from '../../../../src/domain/market/announcements.ts';
import { quoteLinkUrl } from '../../../../src/domain/market/quoteLink.ts';
import type { ScannerRow } from '../../../../src/domain/scanners/membership.ts';

export type NameCellProps = {
  row: ScannerRow;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  quoteSite: string;
  /** The code without the company's name. */
  isShort: boolean;
  inTabOrder: boolean;
};

/** Code and company, linked to the chosen quote site, and a mark when there is news today. */
export function NameCell({ row, today, quoteSite, isShort, inTabOrder }: NameCellProps): ReactNode {
  const url = quoteLinkUrl(quoteSite, row.code);
  const name = (
    <>
      <span className="stock-code">{row.code}</span>
      {!isShort && <span className="stock-name">{row.name}</span>}
    </>
  );
  return (
    <span className="name-cell" title={row.name}>
      {url ? (
        <a
          className="stock-link"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={inTabOrder ? 0 : -1}
        >
          {name}
        </a>
      ) : (
        <span className="stock-link">{name}</span>
      )}
      {hasNewsIcon(row, today) && (
        <Newspaper className="news-icon" size={13} role="img" aria-label="News today" />
      )}
    </span>
  );
}
