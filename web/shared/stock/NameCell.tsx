import { memo, type ReactNode } from 'react';
import './NameCell.css';
import { NewsMark } from './NewsMark.tsx';

export type NameCellProps = {
  code: string;
  /** The company's. */
  name: string;
  /** The quote site's page of the stock; null for no link. */
  url: string | null;
  /** What kind of news there is today. */
  news: 'none' | 'plain' | 'sensitive';
  /** Today's newest; null when none was published. */
  headline: string | null;
  /** The code without the company's name. */
  isShort: boolean;
  inTabOrder: boolean;
};

/**
 * Code and company, linked to the chosen quote site when there is one, and a mark when there is news today; its headline
 * stands behind it where there is room. It is the mark's description already, so a screen reader is not told it twice.
 */
function PlainNameCell(props: NameCellProps): ReactNode {
  const { code, name, url, news, headline } = props;
  const texts = (
    <>
      <span className="name-cell-code">{code}</span>
      {!props.isShort && <span className="name-cell-company">{name}</span>}
    </>
  );
  return (
    <span className="name-cell">
      <span className="name-cell-first">
        {url ? (
          <a
            className="name-cell-stock"
            title={name}
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            tabIndex={props.inTabOrder ? 0 : -1}
          >
            {texts}
          </a>
        ) : (
          <span className="name-cell-stock" title={name}>
            {texts}
          </span>
        )}
        {news !== 'none' && (
          <NewsMark isSensitive={news === 'sensitive'} headline={headline} inTabOrder={props.inTabOrder} />
        )}
      </span>
      {headline !== null && !props.isShort && (
        <span className="name-cell-headline" aria-hidden="true">
          {headline}
        </span>
      )}
    </span>
  );
}

/** Takes no row: a price that changed renders nothing here. */
export const NameCell = memo(PlainNameCell);
