import { afterEach, beforeEach } from 'bun:test';

/**
 * happy-dom has no layout: every element has size 0, so a virtual table would render no row. Gives every element the size of a desktop window.
 * Returns the function that undoes it.
 */
export function giveLayout(width = 1440, height = 840): () => void {
  const sizes = { offsetWidth: width, offsetHeight: height, clientWidth: width, clientHeight: height };
  const before = new Map<string, PropertyDescriptor | undefined>();
  for (const [name, value] of Object.entries(sizes)) {
    before.set(name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name));
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
      else Reflect.deleteProperty(HTMLElement.prototype, name);
    }
  };
}

/** Gives every test of a file a window size. */
export function layOutEachTest(): void {
  let takeAway: () => void;
  beforeEach(() => {
    takeAway = giveLayout();
  });
  afterEach(() => takeAway());
}
