import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';

/** How long reading lasts after the last movement, key or touch, ms. */
export const READING_MS = 3000;

/**
 * Whether the user works with a table's rows: pointer movement, a touch or a key in them, now or less than 3 s ago. A
 * resting pointer, rows that move under it, and focus alone do not count. Reading continues for 3 s after the pointer
 * leaves, so that the resume button can be reached.
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

/** @param note called for an event @param hold called for a finger, until it is lifted */
function handlersFor(note: () => void, hold: () => void) {
  let isFingerDown = false;
  let at = '';
  const onPointerMove = ({ clientX, clientY, pointerType }: PointerEvent) => {
    // Browsers may report movement of a resting pointer when rows change below it.
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
  /** Also called when the browser takes over the touch to scroll. */
  const onLift = () => {
    if (isFingerDown) note();
    isFingerDown = false;
  };
  /** Notes a scrolling finger; a still finger is already held. */
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

/** Listens on the document: a finger may be lifted from a removed row, so the rows do not get every event. */
function listenToLifting(onLift: () => void): () => void {
  document.addEventListener('pointerup', onLift);
  document.addEventListener('pointercancel', onLift);
  return () => {
    document.removeEventListener('pointerup', onLift);
    document.removeEventListener('pointercancel', onLift);
  };
}
