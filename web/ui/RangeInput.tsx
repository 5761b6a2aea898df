import type { ComponentProps, ReactNode } from 'react';

/**
 * The browser's slider in the look of the product. What is set as `--track` in its styles is its track's background, and
 * `--thumb` that of its thumb within the ring.
 */
export const RangeInput = (props: Omit<ComponentProps<'input'>, 'type' | 'className'>): ReactNode => (
  <input type="range" className="range-input" {...props} />
);
