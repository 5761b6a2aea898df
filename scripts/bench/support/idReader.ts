import type { BenchComposition } from './composition.ts';

const ID = /2924-\d{12}-6A1308887/g;
/** As long as an id may be cut in two by the end of a piece. */
const OVERLAP = 40;

export type IdReader = {
  /** Ids of announcements that came by the stream. */
  readonly seen: ReadonlySet<string>;
  stop(): Promise<void>;
};

/** A client of the market's stream, in this process, that reads plain text. */
export async function readIds({ app }: Pick<BenchComposition, 'app'>): Promise<IdReader> {
  const body = (await app.handle(new Request('http://localhost/api/data/stream'))).body?.getReader();
  if (!body) throw new Error('The stream has no body.');
  const seen = new Set<string>();
  const decoder = new TextDecoder();
  let end = '';
  const read = async (): Promise<void> => {
    for (let next = await body.read(); !next.done; next = await body.read()) {
      const text = end + decoder.decode(next.value, { stream: true });
      for (const [id] of text.matchAll(ID)) seen.add(id);
      end = text.slice(-OVERLAP);
    }
  };
  const reading = read();
  return {
    seen,
    async stop() {
      await body.cancel();
      await reading;
    },
  };
}
