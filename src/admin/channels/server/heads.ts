import { headDay, headMessage } from '../rules/ledgerHead.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import { addToChannels, KEPT_DAYS } from './addToChannels.ts';
import type { ChannelsDeps } from './deps.ts';

/**
 * Tells the subscribed channels the head of the ledger, once a day, also when the server is killed in between: the message
 * and the note that it was sent are written together. A day on which the server was off until midnight has none.
 */
export class DailyHeads {
  constructor(private readonly deps: ChannelsDeps) {}

  /** Looks whether a head is due. */
  look(): void {
    const { store, calls, clock, outbox, log, publicUrl, hasBot } = this.deps;
    const day = headDay(clock.now());
    if (day === null) return;
    const channels = store
      .withoutHead(day.date, day.since)
      .filter(({ platform, chatId }) => hasBot(platform) && chatId !== '');
    const head = channels.length === 0 ? null : calls.ledger.head();
    if (head === null) return;
    const message = headMessage(head, day.date, publicUrl);
    store.inTransaction(() => {
      addToChannels(outbox, channels, message, (channel, nonce) =>
        store.insertHead(channel, day.date, nonce),
      );
      store.pruneHeads(addDays(day.date, -KEPT_DAYS));
    });
    outbox.wake();
    log.info('The head of the ledger was sent', { line: head.number, channels: channels.length });
  }
}
