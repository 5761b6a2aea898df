import { applyDelta, type Delta, readStocks, type Snapshot } from '#market/rules/stream.ts';
import type { Stock } from '#market/rules/stock.ts';
import { unpack, unpackAfter } from '#platform/sse/message.ts';
import type { Redis, KeptSnapshot, Placed } from '#src/relays/redis/types.ts';
import { createEventReader, type StreamEvent } from './streamClient.ts';

const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The messages of one epoch after a position, up to the newest. @throws if one is missing */
export async function messagesAfter(engine: Redis, { position }: Pick<KeptSnapshot, 'position'>) {
  const frames: Placed[] = [];
  for (;;) {
    const read = await engine.read(frames.at(-1)?.position ?? position, 0);
    frames.push(...read);
    if (read.length === 0) return frames;
    const isWhole = frames.every((placed, index) => {
      const { run, number } = placed.position;
      return run === position.run && number === position.number + index + 1;
    });
    if (!isWhole) throw new Error('A message is missing.');
  }
}

/** The texts of the market’s messages, the first of which refers to none before it. */
export function marketTexts(frames: readonly Placed[]): string[] {
  let recent: Uint8Array[] = [];
  return frames.flatMap(({ relayMessage: frame }) => {
    if (frame.kind !== 'market') return [];
    const text = unpackAfter(frame.reach === 0 ? [] : recent.slice(-frame.reach), frame.block);
    recent = [...recent, text].slice(-3);
    return [toText(text)];
  });
}

export function eventsIn(texts: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  createEventReader((event) => events.push(event))(texts.join(''));
  return events;
}

/** The stocks of a stored snapshot plus the messages after it, as a relay has them. */
export function stocksOf(snapshot: KeptSnapshot, frames: readonly Placed[]): Record<string, Stock> {
  const whole = JSON.parse(toText(unpack(snapshot.packed))) as Snapshot;
  let stocks = readStocks(whole.stocks);
  for (const { event, data } of eventsIn(marketTexts(frames))) {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
  }
  return Object.fromEntries([...stocks].toSorted(([one], [other]) => one.localeCompare(other, 'en')));
}
