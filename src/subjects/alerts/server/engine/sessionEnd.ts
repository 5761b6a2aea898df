import type { Clock } from '#lib/clock.ts';
import { createMarketSession } from '#market/marketSession.ts';

/** Says once a session that its trading is over: then the last values of the session are saved too. */
export class SessionEnd {
  private readonly readSession: ReturnType<typeof createMarketSession>;
  /** The session of which it was said. */
  private said = '';

  /** @param clock the market's */
  constructor(
    clock: Clock,
    private readonly over: () => void,
  ) {
    this.readSession = createMarketSession(clock);
  }

  /** To be called at every tick. */
  look(): void {
    const { phase, date } = this.readSession();
    if ((phase !== 'adjust' && phase !== 'closed') || date === this.said) return;
    this.said = date;
    this.over();
  }

  /** The market was taken to another moment. */
  forget(): void {
    this.said = '';
  }
}
