import { Database } from 'bun:sqlite';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '#lib/json.ts';
import { post, startBellbird, temporaryFolder } from '#support/executable.ts';
import { createEventReader } from '#support/streamClient.ts';
import type { Row } from './row.ts';

const SIZES_MB = [100, 500];
const TICK_MS = 1000;
const LIMIT_LATE_MS = 250;
const ROW_BYTES = 50_000;
const SETTLE_MS = 8000;
const ALONE_MS = 15_000;

/** Measures the delay of ticks during a backup, compared with the same server without one. */
export async function run(megabytes?: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of megabytes === undefined ? SIZES_MB : [megabytes]) rows.push(await measure(size));
  return rows;
}

async function measure(megabytes: number): Promise<Row> {
  const folder = await temporaryFolder();
  await (await startBellbird({ dataDir: folder })).stop();
  fill(join(folder, 'bellbird.db'), megabytes);
  const env = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '10:30' };
  const bellbird = await startBellbird({ dataDir: folder, env });
  const reading = new AbortController();
  const gaps = watchTicks(`${bellbird.url}/api/data/stream`, reading.signal);
  try {
    const seeded = await post(`${bellbird.url}/api/test/seed`, { username: 'admin' });
    const { accessToken } = (await seeded.json()) as { accessToken: string };
    await Bun.sleep(SETTLE_MS);
    gaps.reset();
    await Bun.sleep(ALONE_MS);
    const alone = gaps.longest();
    gaps.reset();
    const took = await backUp(bellbird.url, accessToken);
    await Bun.sleep(2 * TICK_MS);
    const late = gaps.longest() - TICK_MS;
    const { size } = await stat(join(folder, 'bellbird.db'));
    return {
      what: `Backup of ${Math.round(size / 1e6)} MB while the market trades: copy, verify and sync`,
      measured: `${(took / 1000).toFixed(1)} s; worst tick ${late.toFixed(0)} ms late (${(alone - TICK_MS).toFixed(0)} ms without a backup)`,
      target: `≤ ${LIMIT_LATE_MS} ms late`,
      ok: late <= LIMIT_LATE_MS,
    };
  } finally {
    reading.abort();
    await bellbird.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function fill(path: string, megabytes: number): void {
  const client = new Database(path);
  const insert = client.query('INSERT INTO facts (key, value) VALUES (?, ?)');
  client.transaction(() => {
    for (let index = 0; index < (megabytes * 1e6) / ROW_BYTES; index += 1) {
      const value = Buffer.from(crypto.getRandomValues(new Uint8Array(ROW_BYTES / 2))).toString('hex');
      insert.run(`bench ${index}`, value);
    }
  })();
  client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  client.close();
}

async function backUp(url: string, token: string): Promise<number> {
  const started = performance.now();
  const began = await post(`${url}/api/admin/backups`, {}, token);
  if (!began.ok) throw new Error(`The backup was answered ${began.status}: ${await began.text()}`);
  for (;;) {
    const answer = await fetch(`${url}/api/admin/backups`, { headers: { authorization: token } });
    const list: unknown = await answer.json();
    if (!isRecord(list)) throw new Error('The list of backups is not an object.');
    if (isRecord(list['failure'])) throw new Error(`No backup: ${String(list['failure']['reason'])}`);
    if (list['running'] === null) return performance.now() - started;
    await Bun.sleep(100);
  }
}

function watchTicks(url: string, signal: AbortSignal) {
  let longest = 0;
  let last: number | null = null;
  const read = createEventReader(({ event }) => {
    if (event !== 'delta_update') return;
    const now = performance.now();
    if (last !== null) longest = Math.max(longest, now - last);
    last = now;
  });
  const reading = async (): Promise<void> => {
    const decoder = new TextDecoder();
    const response = await fetch(url, { signal, headers: { 'accept-encoding': 'identity' } });
    for await (const chunk of response.body ?? []) read(decoder.decode(chunk, { stream: true }));
  };
  reading().catch((error: unknown) => {
    if (!signal.aborted) console.error(error);
  });
  return {
    longest: () => longest,
    reset(): void {
      longest = 0;
    },
  };
}
