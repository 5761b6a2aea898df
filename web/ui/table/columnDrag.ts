/** px that a pointer moves before a press is a drag. */
const DRAG_AFTER = 6;

type Drag = {
  pointerId: number;
  /** Called with each movement; the pointer's place in the window, px. */
  moved(x: number): void;
  /** Called at the end; false when it was given up. */
  ended(isDone: boolean): void;
};

/** Follows a pointer until it is let go; Escape, a lost pointer or a second one gives it up. */
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
      // It was let go before this listened.
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

/** A drag that ends on the heading it began on is no click on it. */
function swallowClick(): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  // A pointer that was let go elsewhere gives no click.
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}

/** A line over the whole table, where the edge or the column will be. */
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

/**
 * Resizes a column with the pointer that is down: a line shows where its edge will be.
 * @param done called with the new width, px, unless it is given up
 */
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

/** The heading, among those that may be moved, under a place in the window; the nearest one beside them. */
function headingAt(headings: readonly HTMLElement[], x: number): HTMLElement | undefined {
  const distance = (one: HTMLElement): number => {
    const { left, right } = one.getBoundingClientRect();
    return Math.max(left - x, x - right, 0);
  };
  return headings.toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * Moves a column with the pointer that is down: a line shows where it will stand. A press that does not move is left to
 * be a click.
 * @param headings those whose place it can take, itself among them
 * @param done called with the heading whose place it takes, unless it is given up or stays
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
