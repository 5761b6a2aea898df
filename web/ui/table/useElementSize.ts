import { type RefObject, useLayoutEffect, useState } from 'react';

/** An element's inner width, and the row height that the style sheet gives it, px; follows both as they change. */
export type ElementSize = { width: number; rowHeight: number; headerHeight: number };

function pixels(style: CSSStyleDeclaration, name: string, fallback: number): number {
  const value = Number.parseFloat(style.getPropertyValue(name));
  return Number.isFinite(value) && value > 0 ? value : fallback;
}

function read(element: HTMLElement): ElementSize {
  const style = getComputedStyle(element);
  return {
    width: element.clientWidth,
    rowHeight: pixels(style, '--row-height', 28),
    headerHeight: pixels(style, '--table-header-height', 30),
  };
}

const isSame = (a: ElementSize, b: ElementSize): boolean =>
  a.width === b.width && a.rowHeight === b.rowHeight && a.headerHeight === b.headerHeight;

/** Follows an element's size; the row height changes with the density attribute on the document's root. */
export function useElementSize(ref: RefObject<HTMLElement | null>): ElementSize {
  const [size, setSize] = useState<ElementSize>({ width: 0, rowHeight: 28, headerHeight: 30 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const update = () => setSize((old) => (isSame(old, read(element)) ? old : read(element)));
    update();
    const resized = new ResizeObserver(update);
    resized.observe(element);
    const restyled = new MutationObserver(update);
    restyled.observe(document.documentElement, { attributeFilter: ['data-density'] });
    return () => {
      resized.disconnect();
      restyled.disconnect();
    };
  }, [ref]);
  return size;
}
