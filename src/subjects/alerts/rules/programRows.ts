import type { LiveReads } from './readiness.ts';

/** Where the compiled conditions of an alert stand. */
export type Span = LiveReads & {
  readonly first: number;
  readonly count: number;
  readonly hasCrossings: boolean;
};

/** Of each plain operator, in the order of OPERATORS: bit 0 holds below, bit 1 when equal, bit 2 above. */
export const HOLDS_AT = Uint8Array.of(0b100, 0b110, 0b010, 0b101, 0b011, 0b001);

export const grown = <T extends Uint8Array | Int32Array | Float64Array>(array: T, bigger: T): T => {
  bigger.set(array);
  return bigger;
};
