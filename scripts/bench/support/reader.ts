import { createInflateRaw } from 'node:zlib';
import type { BenchComposition } from './composition.ts';

export type Weight = { wire: number; plain: number };

export type Reader = {
  take(): Promise<Weight>;
  stop(): Promise<void>;
};

export async function openReader({ api }: Pick<BenchComposition, 'api'>): Promise<Reader> {
  const request = new Request('http://localhost/api/data/stream', { headers: { 'accept-encoding': 'gzip' } });
  const body = (await api.handle(request)).body?.getReader();
  if (!body) throw new Error('The stream has no body.');
  const weight: Weight = { wire: 0, plain: 0 };
  const inflate = createInflateRaw();
  const unpack = (block: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => inflate.write(block, (error) => (error ? reject(error) : resolve())));
  inflate.on('data', (text: Uint8Array) => {
    weight.plain += text.byteLength;
  });
  const read = async (): Promise<void> => {
    await body.read();
    for (let next = await body.read(); !next.done; next = await body.read()) {
      await unpack(next.value);
      weight.wire += next.value.byteLength;
    }
  };
  const reading = read();
  const reader: Reader = {
    async take() {
      await Bun.sleep(5);
      const taken = { ...weight };
      Object.assign(weight, { wire: 0, plain: 0 });
      return taken;
    },
    async stop() {
      await body.cancel();
      await reading;
    },
  };
  while ((await reader.take()).wire === 0) await Bun.sleep(1);
  return reader;
}
