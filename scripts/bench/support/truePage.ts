import { applyDelta, readStocks } from '#market/rules/applyDelta.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Delta, Snapshot } from '#market/rules/stream.ts';
import { createEventReader, type StreamEvent } from '#support/streamClient.ts';

/** A page that holds the whole market as it was told. */
export type TruePage = {
  /** Id of the event told last; null before the first. */
  id(): string | null;
  stocks(): ReadonlyMap<string, Stock>;
  /** Whether its stream was ended. */
  isOver(): boolean;
  leave(): void;
};

/** Opens the stream of a server in plain text and keeps what it tells. @throws when it is refused */
export async function openTruePage(url: string): Promise<TruePage> {
  const leaving = new AbortController();
  const headers = { 'accept-encoding': 'identity' };
  const response = await fetch(`${url}/api/data/stream`, { headers, signal: leaving.signal });
  if (!response.ok || !response.body) throw new Error(`The stream was refused: ${await response.text()}`);
  let id: string | null = null;
  let stocks: ReadonlyMap<string, Stock> = new Map();
  let isOver = false;
  const read = createEventReader(({ event, data, ...rest }: StreamEvent) => {
    if (event === 'snapshot') stocks = readStocks((data as Snapshot).stocks);
    else if (event === 'delta_update') stocks = applyDelta(stocks, data as Delta);
    id = rest.id ?? id;
  });
  const pump = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of body) read(decoder.decode(piece, { stream: true }));
    } catch {
      // It was left, or its server is gone.
    }
    isOver = true;
  };
  void pump(response.body);
  return { id: () => id, stocks: () => stocks, isOver: () => isOver, leave: () => leaving.abort() };
}

/** Waits until a page has the whole market. */
export async function untilWhole(page: TruePage): Promise<void> {
  while (page.id() === null && !page.isOver()) await Bun.sleep(2);
  if (page.id() === null) throw new Error('The stream was ended before it told the market.');
}

/** How often a comparison is tried whose pages were sent away before they were told anything, as they may be. */
const TRIES = 40;

/**
 * Opens a page at each server and looks whether they show the same market at the same event.
 * @returns how many do not
 */
export async function countDifferent(reference: string, urls: readonly string[]): Promise<number> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await compare(reference, urls);
    } catch (error) {
      if (left === 0) throw error;
      await Bun.sleep(1000);
    }
  }
}

async function compare(reference: string, urls: readonly string[]): Promise<number> {
  const pages: TruePage[] = [];
  try {
    for (const url of [reference, ...urls]) pages.push(await openTruePage(url));
    await Promise.all(pages.map(untilWhole));
    const isSame = (): boolean => new Set(pages.map((page) => page.id())).size === 1;
    for (let turn = 0; turn < 2000 && !isSame(); turn += 1) await Bun.sleep(5);
    const [first, ...others] = pages;
    return others.filter(
      (page) => page.id() !== first?.id() || !Bun.deepEquals(page.stocks(), first?.stocks()),
    ).length;
  } finally {
    for (const page of pages) page.leave();
  }
}
