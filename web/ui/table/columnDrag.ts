/** Movement that turns a press into a drag, px. */
const DRAG_AFTER = 6;

type Drag = {
  pointerId: number;
  /** Called with the pointer's x position in the window, px. */
  moved(x: number): void;
  ended(isDone: boolean): void;
};

/** Follows a pointer until it is released. Escape, a lost pointer or a second one cancels. */
function follow({ pointerId, moved, ended }: Drag): void {
  const stopper = new AbortController();
  const { signal } = stopper;
  const end = (isDone: boolean): void => {
    stopper.abort();
    ended(isDone);
  };
  window.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== pointerId) return;
      // The button was released before this listener existed.
      if (event.buttons === 0) end(false);
      else moved(event.clientX);
    },
    {
      signal,
    },
  );
  window.addEventListener('pointerup', (event) => end(event.pointerId === pointerId), { signal });
  window.addEventListener('pointercancel', () => end(false), { signal });
  window.addEventListener('blur', () => end(false), { signal });
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  };
  window.addEventListener('keydown', press, { signal, capture: true });
}

/** Stops the click after a drag that ends on its own heading. */
function swallowClick(): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  // A release elsewhere causes no click, so stop waiting for one.
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}

function makeLine(table: Element): { at(x: number): void; remove(): void } {
  const line = document.createElement('div');
  line.className = 'column-line';
  line.setAttribute('aria-hidden', 'true');
  document.body.append(line);
  const { top, height } = table.getBoundingClientRect();
  line.style.top = `${top}px`;
  line.style.height = `${height}px`;
  return {
    at: (x) => {
      line.style.left = `${Math.round(x) - 1}px`;
    },
    remove: () => line.remove(),
  };
}

const frameOf = (heading: HTMLElement): Element => heading.closest('.table-frame') ?? heading;

/** Resizes a column; a line shows the new edge. @param done called with the new width, px, unless cancelled */
export function dragEdge(
  event: { pointerId: number; clientX: number },
  heading: HTMLElement,
  done: (width: number) => void,
): void {
  const { left, right } = heading.getBoundingClientRect();
  const offset = right - event.clientX;
  const line = makeLine(frameOf(heading));
  let edge = right;
  line.at(edge);
  follow({
    pointerId: event.pointerId,
    moved: (x) => {
      edge = Math.max(left + 24, x + offset);
      line.at(edge);
    },
    ended: (isDone) => {
      line.remove();
      swallowClick();
      if (isDone && edge !== right) done(Math.round(edge - left));
    },
  });
}

/** The heading at a position that can be a target, otherwise the nearest one. */
function headingAt(headings: readonly HTMLElement[], x: number): HTMLElement | undefined {
  const distance = (one: HTMLElement): number => {
    const { left, right } = one.getBoundingClientRect();
    return Math.max(left - x, x - right, 0);
  };
  return headings.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * Moves a column; a line shows the new position. A press without movement stays a click.
 * @param headings possible targets, including the column's own
 * @param done called with the target's heading, unless cancelled or unchanged
 */
export function dragColumn(
  event: { pointerId: number; clientX: number },
  heading: HTMLElement,
  headings: readonly HTMLElement[],
  done: (over: HTMLElement) => void,
): void {
  let line: ReturnType<typeof makeLine> | null = null;
  let over: HTMLElement | undefined;
  const from = headings.indexOf(heading);
  follow({
    pointerId: event.pointerId,
    moved: (x) => {
      if (line === null && Math.abs(x - event.clientX) < DRAG_AFTER) return;
      line ??= makeLine(frameOf(heading));
      heading.dataset.dragged = '';
      over = headingAt(headings, x);
      const place = over?.getBoundingClientRect();
      if (over && place) line.at(headings.indexOf(over) > from ? place.right : place.left);
    },
    ended: (isDone) => {
      if (line === null) return;
      line.remove();
      delete heading.dataset.dragged;
      swallowClick();
      if (isDone && over && over !== heading) done(over);
    },
  });
}
