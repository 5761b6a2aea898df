import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { executable, needExecutable, runBellbird } from '../support/executable.ts';
import { tempFolders } from '../support/tempFolder.ts';

await needExecutable();
const newFolder = tempFolders();

test('the command line lists all wrong settings and does not start', async () => {
  const env = { BELLBIRD_PORT: 'many', BELLBIRD_FEED: 'yahoo', BELLBIRD_DATA: newFolder() };
  const { code, stderr } = await runBellbird(['serve'], { env });
  expect(code).toBe(78);
  expect(stderr).toContain('BELLBIRD_PORT');
  expect(stderr).toContain('"many"');
  expect(stderr).toContain('BELLBIRD_FEED');
});

test('the command line hides a password typed at a terminal, and handles editing keys', async () => {
  const decoder = new TextDecoder();
  let shown = '';
  const asked = Promise.withResolvers<void>();
  const child = Bun.spawn([executable, 'user', 'add', 'Anna'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', BELLBIRD_DATA: newFolder() },
    terminal: {
      data: (_, bytes) => {
        shown += decoder.decode(bytes, { stream: true });
        // The cursor is hidden when the prompt listens.
        if (shown.includes('Password: \u001b[?25l')) asked.resolve();
      },
    },
  });
  await Promise.race([asked.promise, child.exited]);
  child.terminal?.write('pass😀\u007f-phrase\u001b[Dx\r');
  const code = await child.exited;
  child.terminal?.close();
  expect(shown).toContain('Added Anna.');
  expect(code).toBe(0);
  for (const part of ['pass😀', 'phras', '*']) expect(shown).not.toContain(part);
});

test('the command line check starts a copy and leaves the data unchanged', async () => {
  const folder = newFolder();
  const fresh = await runBellbird(['check'], { env: { BELLBIRD_DATA: folder } });
  expect(fresh.all).toContain('serves the web app');
  expect(fresh.code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});
