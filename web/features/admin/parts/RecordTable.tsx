import type { ReactNode } from 'react';
import './RecordTable.css';

type RecordTableProps = {
  /** Names the table for assistive technology. */
  label: string;
  headings: readonly string[];
  isBusy?: boolean;
  /** Rows of `td`, the first cell a `th`; each names its heading in `data-heading`. */
  children: ReactNode;
};

/**
 * A table of records with what can be done with each; on a phone each is a block of lines. A long one scrolls in itself,
 * so that the next section stays near.
 */
export const RecordTable = ({ label, headings, isBusy = false, children }: RecordTableProps) => (
  <div className="record-table">
    <table aria-busy={isBusy}>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
