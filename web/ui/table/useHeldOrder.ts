import { useCallback, useEffect, useReducer, useState } from 'react';
import { createHeldOrder, type OrderInput, type Ordered } from './heldOrder.ts';

/** Rows in an order that holds still while they are read; renders again when something of it is due. */
export function useHeldOrder<Row>(input: Omit<OrderInput<Row>, 'now'>): Ordered<Row> & { resume(): void } {
  const [order] = useState(() => createHeldOrder<Row>());
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const ordered = order.next({ ...input, now: performance.now() });
  useEffect(() => {
    if (ordered.dueIn === null) return;
    const timer = setTimeout(renderAgain, ordered.dueIn);
    return () => clearTimeout(timer);
  }, [ordered]);
  const resume = useCallback(() => {
    order.resume();
    renderAgain();
  }, [order]);
  return { ...ordered, resume };
}
