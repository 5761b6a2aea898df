import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { type ColumnActions, handleHeadingKey } from './columnActions.ts';

type HeadingPlace = { id: string; ids: readonly string[]; width: number };

const headingOf = (target: Element): HTMLElement | null => target.closest<HTMLElement>('[data-column]');

/** The headings of the same row whose columns may be moved. */
const movableBeside = (heading: HTMLElement, actions: ColumnActions): HTMLElement[] =>
  [...(heading.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].filter((one) =>
    actions.canMove(one.dataset.column ?? ''),
  );

/** A finger scrolls, and only the main button of a mouse drags. */
const canDrag = (event: PointerEvent): boolean => event.pointerType !== 'touch' && event.button === 0;

/** Fetched at the first press: most who open the table never drag a column. */
const loadDrag = () => import('./columnDrag.ts');

/** What a heading does with keys, the menu key or button, and drags; null for a column that stays as it is. */
export function headingActions(place: HeadingPlace, actions: ColumnActions | undefined) {
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
      const headings = movableBeside(heading, actions);
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
