import type { HandScheduler } from './handScheduler.ts';

/** What of a source tells whether it waits for its next poll. */
type Polling = { details(): { nextAttempt: number | null } };

/**
 * Lets time pass for sources that poll, one planned poll after the other, each answered before time goes on.
 *
 * @param settle is called each time that all sources wait for their next poll
 */
export function createPollPasser(
  hand: HandScheduler,
  sources: readonly Polling[],
  settle: () => void | Promise<void> = () => undefined,
) {
  /** Waits until every source has planned its next poll. */
  async function settled(): Promise<void> {
    while (sources.some((source) => source.details().nextAttempt === null)) await Bun.sleep(0);
    await settle();
  }
  async function pass(ms: number): Promise<void> {
    let left = ms;
    for (let next = hand.planned()[0]; next !== undefined && next <= left; next = hand.planned()[0]) {
      hand.advance(next);
      left -= next;
      await settled();
    }
    hand.advance(left);
  }
  return { settled, pass };
}
