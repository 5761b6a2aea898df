import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';

/** Anyone who moved the pointer, used a key or lifted a finger reads on for so long. */
export const READING_MS = 3000;

/**
 * Whether somebody uses a table's rows: the pointer moves over them, a finger is on them or a key was pressed in them,
 * or that was less than 3 s ago. A pointer that rests, rows that come under it, or a focus that stays do not count. What
 * leaves the rows reads on for its 3 s too, or the button that ends a pause would be gone before it is reached.
 */
export function useReading() {
  const [isReading, setReading] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const actions = useMemo(() => {
    const stop = () => {
      clearTimeout(timer.current);
      setReading(false);
    };
    const note = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(stop, READING_MS);
      setReading(true);
    };
    const hold = () => {
      clearTimeout(timer.current);
      setReading(true);
    };
    return { stop, note, handlers: handlersFor(note, hold) };
  }, []);
  useEffect(() => listenToLifting(actions.handlers.onLift), [actions]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { isReading, ...actions };
}

/** @param note something was done @param hold a finger stays until it is lifted */
function handlersFor(note: () => void, hold: () => void) {
  let isFingerDown = false;
  let at = '';
  const onPointerMove = ({ clientX, clientY, pointerType }: PointerEvent) => {
    // Browsers may report a pointer that rests when the rows change below it.
    const place = `${clientX} ${clientY}`;
    if (place === at || pointerType === 'touch') return;
    at = place;
    note();
  };
  const onPointerDown = ({ pointerType }: PointerEvent) => {
    isFingerDown = pointerType === 'touch';
    if (isFingerDown) hold();
    else note();
  };
  /** Also when the browser takes the finger over to scroll. */
  const onLift = () => {
    if (isFingerDown) note();
    isFingerDown = false;
  };
  /** A finger that scrolls; one that stays holds anyway. */
  const onTouchMove = () => {
    if (!isFingerDown) note();
  };
  return {
    onLift,
    rows: {
      onPointerMove,
      onPointerDown,
      onWheel: note,
      onTouchMove,
      onTouchEnd: note,
      onKeyDownCapture: note,
    },
  };
}

/** A finger may be lifted from a row that is no more, so the rows themselves do not hear of each. */
function listenToLifting(onLift: () => void): () => void {
  document.addEventListener('pointerup', onLift);
  document.addEventListener('pointercancel', onLift);
  return () => {
    document.removeEventListener('pointerup', onLift);
    document.removeEventListener('pointercancel', onLift);
  };
}
