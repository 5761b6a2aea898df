import type { TimeframeBar, Calc } from '../types.ts';

type Step<T> = (bar: TimeframeBar, replace: boolean, out: (number | null)[]) => T;

class Single implements Calc {
  readonly out: (number | null)[] = [null];
  constructor(private readonly step: Step<number | null>) {}
  update(bar: TimeframeBar, replace: boolean): void {
    this.out[0] = this.step(bar, replace, this.out);
  }
}

class Several implements Calc {
  readonly out: (number | null)[];
  constructor(
    outputs: number,
    private readonly step: Step<void>,
  ) {
    this.out = new Array<number | null>(outputs).fill(null);
  }
  update(bar: TimeframeBar, replace: boolean): void {
    this.step(bar, replace, this.out);
  }
}

/** A computation with one result. @param step returns the result after a bar; null while there is none */
export const single = (step: Step<number | null>): Calc => new Single(step);

/** A computation with several results, which `step` writes into `out` itself. */
export const several = (outputs: number, step: Step<void>): Calc => new Several(outputs, step);

/** Counts bars: an average has a value from its first bar on, but means something only after some more. */
export class Counter {
  private bars = 0;

  /** @returns how many bars there were */
  update(replace: boolean): number {
    if (!replace || this.bars === 0) this.bars += 1;
    return this.bars;
  }
}

/** Remembers a value of each bar. */
export class Previous<T> {
  private running: T;
  /** @param previous what it returns on the first bar */
  constructor(private previous: T) {
    this.running = previous;
  }

  /** Takes the value of the current bar. @returns that of the bar before it */
  update(value: T, replace: boolean): T {
    if (!replace) this.previous = this.running;
    this.running = value;
    return this.previous;
  }
}
