import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outbox } from '../../../../src/platform/db/alertSchema.ts';
import { calendarEvents, calendarReminders } from '../../../../src/platform/db/calendarSchema.ts';
import { openDb } from '../../../../src/platform/db/open.ts';
import { users } from '../../../../src/platform/db/schema.ts';
import { eventIn } from '../../../support/calendarApp.ts';
import { START } from '../../../support/testApp.ts';

const RUNNER = join(import.meta.dir, '..', '..', '..', 'support', 'reminderRunner.ts');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellbird-reminders-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A database with one event and one reminder on it, whose user is to be told of both. */
function prepare(path: string): void {
  const { db } = openDb({ path, copyFolder: null, now: START });
  const row = { username: 'maggie', usernameKey: 'maggie', passwordHash: '', createdAt: START };
  const userId = db.insert(users).values(row).returning({ id: users.id }).get().id;
  const event = eventIn(4, { id: 'a' });
  db.insert(calendarEvents)
    .values({ source: 'hand', id: 'a', time: START + 240_000, event })
    .run();
  db.insert(calendarReminders)
    .values({ userId, source: 'hand', eventId: 'a', before: true, figure: true, createdAt: START })
    .run();
  db.$client.close();
}

async function run(
  path: string,
  step: string,
): Promise<{ killed: boolean; messages: number; marked: boolean }> {
  const child = Bun.spawn([process.execPath, RUNNER, path, step, String(START)], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  await child.exited;
  const { db } = openDb({ path, copyFolder: null, now: START });
  const messages = db.select().from(outbox).all().length;
  const marked = db.select().from(calendarReminders).get()?.beforeToldAt === START;
  db.$client.close();
  return { killed: child.signalCode === 'SIGKILL', messages, marked };
}

test.each([
  ['marked', 0],
  ['written', 0],
  ['committed', 1],
])(
  'killed when the reminder is %s: %d messages and marks then, one in the end',
  async (step, written) => {
    const path = join(folder, `${step}.db`);
    prepare(path);
    expect(await run(path, step)).toEqual({ killed: true, messages: written, marked: written === 1 });
    expect(await run(path, step)).toMatchObject({ killed: written === 0 });
    expect(await run(path, 'never')).toEqual({ killed: false, messages: 1, marked: true });
    expect(await run(path, 'never')).toEqual({ killed: false, messages: 1, marked: true });
  },
  30_000,
);
