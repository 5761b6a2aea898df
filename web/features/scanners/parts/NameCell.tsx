import Newspaper from 'lucide-react/icons/newspaper';
import { memo, type ReactNode } from 'react';
import './NameCell.css';

export type NameCellProps = {
  code: string;
  /** The company's. */
  name: string;
  /** The quote site's page of the stock; null for no link. */
  url: string | null;
  hasNews: boolean;
  /** The code without the company's name. */
  isShort: boolean;
  inTabOrder: boolean;
};

/** Code and company, linked to the chosen quote site when there is one, and an icon when there is news today. */
function PlainNameCell(props: NameCellProps): ReactNode {
  const { code, name, url } = props;
  const texts = (
    <>
      <span className="name-cell-code">{code}</span>
      {!props.isShort && <span className="name-cell-company">{name}</span>}
    </>
  );
  return (
    <span className="name-cell" title={name}>
      {url ? (
        <a
          className="name-cell-stock"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={props.inTabOrder ? 0 : -1}
        >
          {texts}
        </a>
      ) : (
        <span className="name-cell-stock">{texts}</span>
      )}
      {props.hasNews && <Newspaper className="name-cell-news" size={13} role="img" aria-label="News today" />}
    </span>
  );
}

/** Takes no row: a price that changed renders nothing here. */
export const NameCell = memo(PlainNameCell);
