import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channels } from '../../../../src/platform/db/administrationSchema.ts';
import { openDb } from '../../../../src/platform/db/open.ts';
import { users } from '../../../../src/platform/db/schema.ts';
import type { BroadcastView } from '../../../../src/admin/channels/answers/channels.ts';
import { createFailingTelegram, TELEGRAM_TOKEN } from '../../../support/failingTelegram.ts';
import { serve } from '../../../support/failingPlatform.ts';
import { START } from '../../../support/testApp.ts';

const RUNNER = join(import.meta.dir, '..', '..', '..', 'support', 'broadcastRunner.ts');
const COUNT = 12;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellbird-broadcasts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A database with an administrator and channels. */
function prepare(path: string): void {
  const { db } = openDb({ path, copyFolder: null, now: START });
  const row = { username: 'admin', usernameKey: 'admin', passwordHash: '', createdAt: START };
  db.insert(users).values(row).run();
  for (let index = 0; index < COUNT; index += 1) {
    db.insert(channels)
      .values({
        name: `C${index}`,
        platform: 'telegram',
        chatId: `-${100 + index}`,
        subscribed: true,
        createdAt: START,
      })
      .run();
  }
  db.$client.close();
}

test.each([
  ['arrived', 1],
  ['arrived', 7],
  ['answered', 3],
] as const)(
  'killed during a broadcast when message %s, number %d: each channel gets it, twice only with a mark',
  async (when, nth) => {
    const path = join(folder, `${when}${nth}.db`);
    prepare(path);
    const telegram = createFailingTelegram({ now: () => performance.now() });
    let kill = (): void => undefined;
    let messages = 0;
    const count = (): void => {
      messages += 1;
      if (messages === nth) kill();
    };
    const server = await serve((call) => {
      const isMessage = call.path.endsWith('/sendMessage');
      if (isMessage && when === 'arrived') count();
      const reply = telegram.answer(call);
      if (isMessage && when === 'answered') count();
      return reply;
    });
    const start = () =>
      Bun.spawn([process.execPath, RUNNER, path], {
        env: { BELLBIRD_TELEGRAM_URL: server.url, BELLBIRD_TELEGRAM_TOKEN: TELEGRAM_TOKEN },
        stdout: 'pipe',
        stderr: 'inherit',
      });
    const first = start();
    kill = () => process.kill(first.pid, 'SIGKILL');
    await first.exited;
    expect(first.signalCode).toBe('SIGKILL');
    const second = start();
    const said = await new Response(second.stdout).text();
    expect(await second.exited).toBe(0);
    server.stop();

    const byChat = Map.groupBy(telegram.arrivals, ({ chatId }) => chatId);
    expect(byChat.size).toBe(COUNT);
    const unmarked = [...byChat.values()].map((list) => list.filter(({ isMarked }) => !isMarked).length);
    expect(Math.max(...unmarked)).toBe(1);
    const [broadcast] = JSON.parse(said) as BroadcastView[];
    expect(broadcast?.results.map(({ status }) => status)).toEqual(
      Array.from({ length: COUNT }, () => 'sent'),
    );
    // What was sent twice is said to be so.
    const doubled = [...byChat]
      .filter(([, list]) => list.length > 1)
      .map(([chatId]) => `C${-Number(chatId) - 100}`);
    const saidToBe = broadcast?.results.filter(({ mayRepeat }) => mayRepeat).map(({ name }) => name);
    for (const name of doubled) expect(saidToBe).toContain(name);
    expect(doubled.length + (saidToBe?.length ?? 0)).toBeGreaterThan(0);
  },
  30_000,
);
