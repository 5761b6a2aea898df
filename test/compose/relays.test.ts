import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();
const support = join(import.meta.dir, '..', 'support');

/** Starts a server in a process of its own. @returns which files it loaded of the relays */
async function loadedWith(env: Record<string, string>): Promise<string[]> {
  const program = `
    const { startTestServer } = await import(${JSON.stringify(join(support, 'testServer.ts'))});
    const server = await startTestServer(${JSON.stringify(folder())}, ${JSON.stringify(env)});
    await fetch(server.url + '/api/relays/sessions', { method: 'POST' });
    await server.stop();
    const files = Object.keys(require.cache).filter((path) => path.includes('/src/relays/'));
    console.log(JSON.stringify(files));
    process.exit(0);`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  return JSON.parse(await new Response(child.stdout).text()) as string[];
}

test('without its settings nothing of the relays is loaded', async () => {
  expect(await loadedWith({})).toEqual([]);
  const env = {
    BELLBIRD_ENGINE_URL: 'redis://127.0.0.1:1',
    BELLBIRD_RELAY_SECRET: 'a secret of thirty-two characters',
  };
  const loaded = await loadedWith(env);
  expect(loaded.some((path) => path.endsWith('/relays/primary/primary.ts'))).toBe(true);
  expect(loaded.filter((path) => path.includes('/relays/relay/'))).toEqual([]);
});
