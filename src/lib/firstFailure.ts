import type { Log } from './log.ts';

/** Logs the first of failures that follow each other: what is tried again at each tick would fill the log. */
export class FirstFailure {
  private isFailing = false;

  constructor(
    private readonly log: Log,
    private readonly message: string,
    private readonly level: 'error' | 'warn' = 'error',
  ) {}

  failed(error: unknown, more: Readonly<Record<string, unknown>> = {}): void {
    if (!this.isFailing) this.log[this.level](this.message, { ...more, error });
    this.isFailing = true;
  }

  ended(): void {
    this.isFailing = false;
  }
}
