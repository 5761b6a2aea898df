import { type PointerEvent, type FocusEvent, useEffect, useMemo, useRef, useState } from 'react';

/** A finger has no place to rest: after it lifts, the rows hold still for this long. */
const AFTER_TOUCH_MS = 3000;

const isKeyboardFocus = (element: EventTarget): boolean =>
  element instanceof Element && element.matches(':focus-visible');

/**
 * Whether somebody is reading a table's body: the pointer is over it, a finger just was, or the keyboard's focus is
 * inside. A click leaves a focus behind that is not the keyboard's and does not count.
 */
export function useReading() {
  const [hasPointer, setPointer] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const touchEnd = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(touchEnd.current), []);
  const handlers = useMemo(
    () => ({
      onPointerEnter: () => {
        clearTimeout(touchEnd.current);
        setPointer(true);
      },
      onPointerLeave: (event: PointerEvent) => {
        clearTimeout(touchEnd.current);
        if (event.pointerType !== 'touch') setPointer(false);
        else touchEnd.current = setTimeout(() => setPointer(false), AFTER_TOUCH_MS);
      },
      onFocus: (event: FocusEvent) => setFocus(isKeyboardFocus(event.target)),
      onBlur: (event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocus(false);
      },
    }),
    [],
  );
  return { isReading: hasPointer || hasFocus, handlers };
}
