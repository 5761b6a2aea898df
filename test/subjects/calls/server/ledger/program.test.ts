import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../../../../src/lib/random.ts';
import { list, submit, trade } from '../../../../support/callsApp.ts';
import { createTestApp } from '../../../../support/testApp.ts';
import { temporaryFolder } from '../../../../support/executable.ts';

const PAGE = join(import.meta.dir, '../../../../..', 'docs', 'ledger.md');
const MAX_LINES = 50;

let folder = '';
let file = '';
let head: string[] = [];

/** The program as the page of the docs has it. */
async function programOf(): Promise<string> {
  const text = await Bun.file(PAGE).text();
  return /```js\n([\s\S]{0,5000}?)```/.exec(text)?.[1] ?? '';
}

/** Runs it as a reader does. */
async function verify(content: string | Uint8Array, noted: readonly string[] = []) {
  const path = join(folder, `${crypto.randomUUID()}.jsonl`);
  await Bun.write(path, content);
  const child = Bun.spawn([process.execPath, join(folder, 'verify.mjs'), path, ...noted], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const said = await new Response(child.stdout).text();
  return { code: await child.exited, said: said.trim() };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await Bun.write(join(folder, 'verify.mjs'), await programOf());
  const app = createTestApp();
  list(app);
  for (const as of ['free', 'basic', 'premium'] as const) await submit(app, as, { rationale: 'Größer – 鉄' });
  for (const price of [40, 45, 37]) trade(app, 'BHP', price);
  file = (await app.request('GET', '/api/calls/ledger/file')).text;
  const { number, hash } = app.parts.calls.service.ledger.head() ?? { number: 0, hash: '' };
  head = [String(number), hash];
  app.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the program of the docs is short', async () => {
  const lines = (await programOf()).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});

test('it says of a real ledger that its lines fit, with the head', async () => {
  const said = `${head[0]} lines fit together. Head: ${head.join(' ')}`;
  expect(await verify(file)).toEqual({ code: 0, said });
  expect(await verify(file, [...head, '1', 'f'.repeat(64)])).toMatchObject({ code: 1 });
  expect(await verify(file, [head[0] ?? '', (head[1] ?? '').slice(0, 12)])).toMatchObject({ code: 0 });
  expect(await verify(file, ['99', 'f'.repeat(64)])).toMatchObject({
    code: 1,
    said: `There is no line 99: the ledger ends at line ${head[0]}.`,
  });
  expect(await verify('')).toMatchObject({ code: 0 });
});

test('it finds any byte that is changed, against a head that was noted', async () => {
  const random = createRandom(7);
  const bytes = new TextEncoder().encode(file);
  const places = Array.from({ length: 16 }, () => Math.floor(random() * bytes.length));
  const found = await Promise.all(
    places.map((place) => {
      const changed = bytes.slice();
      changed[place] = ((changed[place] ?? 0) + 1 + Math.floor(random() * 255)) % 256;
      return verify(changed, head);
    }),
  );
  expect(found.map(({ code }) => code)).toEqual(places.map(() => 1));
});

test('it finds a line that is missing, and one that is there twice', async () => {
  const lines = file.trimEnd().split('\n');
  for (const changed of [lines.toSpliced(2, 1), lines.toSpliced(2, 0, lines[2] ?? ''), lines.slice(0, -1)]) {
    expect((await verify(`${changed.join('\n')}\n`, head)).code).toBe(1);
  }
});
