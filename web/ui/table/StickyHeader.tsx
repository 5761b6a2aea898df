import { memo, type ReactNode, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { cellClass, type ColumnLayout } from './columnLayout.ts';
import { type ColumnActions, handleHeadingKey } from './columnActions.ts';
import type { ShownColumn, SortState } from './tableModel.ts';

type HeadingPlace = { id: string; ids: readonly string[]; width: number };

const headingOf = (target: Element): HTMLElement | null => target.closest<HTMLElement>('[data-column]');

const movableNeighbours = (heading: HTMLElement, actions: ColumnActions): HTMLElement[] =>
  [...(heading.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].filter((one) =>
    actions.canMove(one.dataset.column ?? ''),
  );

/** Whether a pointer drags. A finger scrolls, and only the main mouse button drags. */
const canDrag = (event: PointerEvent): boolean => event.pointerType !== 'touch' && event.button === 0;

/** Loaded at the first press, because most users never drag a column. */
const loadDrag = () => import('./columnDrag.ts');

/** Keys, menu and drags of a heading; null for a fixed column. */
function headingActions(place: HeadingPlace, actions: ColumnActions | undefined) {
  const { id } = place;
  if (!actions?.canChange(id)) return null;
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      if (handleHeadingKey(event, place, actions)) event.preventDefault();
    },
    onContextMenu: (event: MouseEvent): void => {
      const heading = headingOf(event.currentTarget);
      if (!heading) return;
      event.preventDefault();
      actions.openMenu(id, heading);
    },
    onPointerDown: (event: PointerEvent): void => {
      const heading = headingOf(event.currentTarget);
      if (!heading || !canDrag(event) || !actions.canMove(id)) return;
      const { pointerId, clientX } = event;
      const headings = movableNeighbours(heading, actions);
      void loadDrag().then(({ dragColumn }) =>
        dragColumn({ pointerId, clientX }, heading, headings, (over) =>
          actions.move(id, over.dataset.column ?? id),
        ),
      );
    },
    onEdgeDown: (event: PointerEvent): void => {
      const heading = headingOf(event.currentTarget);
      if (!heading || !canDrag(event)) return;
      event.preventDefault();
      const { pointerId, clientX } = event;
      void loadDrag().then(({ dragEdge }) =>
        dragEdge({ pointerId, clientX }, heading, (width) => actions.resize(id, width)),
      );
    },
  };
}

export type StickyHeaderProps<Row extends object> = {
  layout: ColumnLayout<Row>;
  /** The heading of the expander column. */
  expanderLabel: string | undefined;
  /** A prop, so that the header renders again when the sort changes. */
  sort: SortState | null;
  actions: ColumnActions | undefined;
};

function HeaderOf<Row extends object>(props: StickyHeaderProps<Row>): ReactNode {
  const { layout, expanderLabel, actions } = props;
  const ids = layout.shown.map(({ column }) => column.id);
  return (
    <thead role="rowgroup" className="table-head">
      <tr role="row" className="table-head-row" aria-rowindex={1}>
        {layout.expander && (
          <th role="columnheader" scope="col" className="cell is-expander is-pinned" style={layout.expander}>
            <span className="visually-hidden">{expanderLabel}</span>
          </th>
        )}
        {layout.shown.map((shown) => (
          <Heading key={shown.column.id} shown={shown} ids={ids} actions={actions} />
        ))}
      </tr>
    </thead>
  );
}

export const StickyHeader = memo(HeaderOf) as typeof HeaderOf;

type HeadingProps<Row extends object> = {
  shown: ShownColumn<Row>;
  ids: readonly string[];
  actions: ColumnActions | undefined;
};

const SORTS = {
  asc: { ariaSort: 'ascending', arrow: '▲' },
  desc: { ariaSort: 'descending', arrow: '▼' },
  false: { ariaSort: 'none', arrow: '' },
} as const;

const HEADING_KEYS = 'Alt+ArrowLeft Alt+ArrowRight Alt+Shift+ArrowLeft Alt+Shift+ArrowRight';

function Heading<Row extends object>({ shown, ids, actions }: HeadingProps<Row>): ReactNode {
  const { column, model, style } = shown;
  const { id } = column;
  const change = headingActions({ id, ids, width: style.width }, actions);
  if (!model.getCanSort()) {
    return (
      <th role="columnheader" scope="col" className={cellClass(column)} style={style} data-column={id}>
        <span className="visually-hidden">{column.label}</span>
      </th>
    );
  }
  const { ariaSort, arrow } = SORTS[`${model.getIsSorted()}`];
  return (
    <th
      role="columnheader"
      scope="col"
      className={cellClass(column)}
      style={style}
      aria-sort={ariaSort}
      data-column={id}
      onContextMenu={change?.onContextMenu}
    >
      <button
        type="button"
        className="table-sort"
        title={column.title}
        aria-keyshortcuts={change ? HEADING_KEYS : undefined}
        onClick={() => model.toggleSorting()}
        onKeyDown={change?.onKeyDown}
        onPointerDown={change?.onPointerDown}
      >
        <span className="table-sort-label">{column.label}</span>
        <span className="table-sort-arrow" aria-hidden="true">
          {arrow}
        </span>
      </button>
      {change && <span className="table-edge" aria-hidden="true" onPointerDown={change.onEdgeDown} />}
    </th>
  );
}
