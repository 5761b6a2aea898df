import { type ReactNode, type Ref, useRef } from 'react';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';

type RecordTableProps = {
  /** Names the table for assistive technology. */
  label: string;
  headings: readonly string[];
  /** Those of the headings whose cells are numbers, of the class `is-number`. */
  numbers?: readonly string[];
  isBusy?: boolean;
  /** No row has anything that takes the focus: then the box does, so that the keyboard can scroll it. */
  isText?: boolean;
  ref?: Ref<HTMLDivElement>;
  /** Rows of `td`, one cell a `th`; each names its heading in `data-heading`. */
  children: ReactNode;
};

/**
 * A table of records with what can be done with each; on a phone each is a block of lines. A long one scrolls in itself,
 * so that the next section stays near.
 */
export function RecordTable({
  label,
  headings,
  numbers = [],
  isBusy = false,
  isText = false,
  ref,
  children,
}: RecordTableProps): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <div className="cluster justify-end self-stretch">
        <TakeDrawnButton label={label} table={table} />
      </div>
      <div
        ref={ref}
        className="record-table self-stretch min-w-0"
        {...(isText && { role: 'group', 'aria-label': label, tabIndex: 0 })}
      >
        <StackedTable ref={table} label={label} isBusy={isBusy}>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col" className={numbers.includes(heading) ? 'is-number' : undefined}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </StackedTable>
      </div>
    </>
  );
}
