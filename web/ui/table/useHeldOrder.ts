import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createHeldOrder, type OrderInput, type Ordered } from './heldOrder.ts';

/** Draws rows in the lines that are there, without a render; false where it can't. */
export type DrawInPlace<Row> = (ordered: Ordered<Row>) => boolean;

export type HeldRows<Row> = Ordered<Row> & {
  resume(): void;
  /** The newest order, also when nothing was rendered for it. */
  newest(): Ordered<Row>;
  /** Takes rows that came without a render; renders for them where `draw` does not draw them. */
  take(rows: readonly Row[], draw: DrawInPlace<Row> | null): void;
};

/** Rows in an order that holds still while they are read; renders again when something of it is due. */
export function useHeldOrder<Row>(input: Omit<OrderInput<Row>, 'now'>): HeldRows<Row> {
  const [order] = useState(() => createHeldOrder<Row>());
  const renderAgain = useRenderAgain();
  const ordered = order.next({ ...input, now: performance.now() });
  const rendered = useRef(input);
  const wake = useWakeUp(renderAgain);
  useLayoutEffect(() => {
    rendered.current = input;
  });
  useEffect(() => wake(ordered.dueIn), [wake, ordered]);
  const take = useTaking({ order, rendered, wake, renderAgain });
  const resume = useCallback(() => {
    order.resume();
    renderAgain();
  }, [order, renderAgain]);
  return { ...ordered, resume, newest: order.last, take };
}

type Taking<Row> = {
  order: ReturnType<typeof createHeldOrder<Row>>;
  rendered: RefObject<Omit<OrderInput<Row>, 'now'>>;
  wake(dueIn: number | null): void;
  renderAgain(): void;
};

/** Nothing that React writes hangs on which rows these are. */
const isPlain = ({ leftIds, paused }: Ordered<unknown>): boolean => leftIds.size === 0 && paused === null;

function useTaking<Row>({ order, rendered, wake, renderAgain }: Taking<Row>): HeldRows<Row>['take'] {
  return useCallback(
    (rows, draw) => {
      if (rows === rendered.current.rows) return;
      const before = order.last();
      rendered.current = { ...rendered.current, rows };
      const next = order.next({ ...rendered.current, now: performance.now() });
      const isAlike = isPlain(before) && isPlain(next) && before.ids.length === next.ids.length;
      if (isAlike && draw?.(next)) wake(next.dueIn);
      else renderAgain();
    },
    [order, rendered, wake, renderAgain],
  );
}

/** Lets the component render again, in one go with what signals have changed: React would let a state of its own wait. */
function useRenderAgain(): () => void {
  const [renders] = useState(() => {
    let count = 0;
    let tell: (() => void) | null = null;
    return {
      count: () => count,
      subscribe: (listener: () => void) => {
        tell = listener;
        return () => {
          tell = null;
        };
      },
      again: () => {
        count += 1;
        tell?.();
      },
    };
  });
  useSyncExternalStore(renders.subscribe, renders.count);
  return renders.again;
}

/** Calls back after so many ms, instead of what was asked for before; null for not at all. */
function useWakeUp(run: () => void): (dueIn: number | null) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (dueIn) => {
      clearTimeout(timer.current);
      if (dueIn !== null) timer.current = setTimeout(run, dueIn);
    },
    [run],
  );
}
