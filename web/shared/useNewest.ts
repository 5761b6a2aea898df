import { type RefObject, useRef } from 'react';

/** What was rendered last, for what runs later. */
export function useNewest<T>(value: T): RefObject<T> {
  const newest = useRef(value);
  newest.current = value;
  return newest;
}
