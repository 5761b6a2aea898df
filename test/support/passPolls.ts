import type { HandScheduler } from './handScheduler.ts';

/** The part of a source that starts it and shows whether it waits for its next poll. */
type Polling<S> = { start(sink: S): Promise<void> | void; details(): { nextAttempt: number | null } };

/** Lets time pass for a polling source, one scheduled poll after the other, each answered before time continues. */
export function createPollPasser<S>(hand: HandScheduler, source: Polling<S>, sink: () => S) {
  async function settled(): Promise<void> {
    while (source.details().nextAttempt === null) await Bun.sleep(0);
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
  async function start(): Promise<void> {
    await source.start(sink());
    await settled();
  }
  return { start, pass };
}
