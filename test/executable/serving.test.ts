import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import {
  needExecutable,
  type Running,
  startBellbird,
  temporaryFolder,
  usageOf,
} from '../support/executable.ts';
import { HOSTILE_REQUESTS, type HostileRequest } from '../support/hostileRequests.ts';

await needExecutable();

/** A new folder that tries to affect anything started in it. */
async function hostileFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await Bun.write(join(folder, '.env'), 'BELLBIRD_PORT=nonsense\nBELLBIRD_FEED=nonsense\n');
  await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
  await Bun.write(join(folder, 'evil.ts'), 'console.log("EVIL"); process.exit(66);\n');
  await Bun.write(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "jsx": "preserve" } }');
  await Bun.write(join(folder, 'package.json'), '{ "type": "commonjs", "name": "evil" }');
  return folder;
}

describe('serving from a hostile, otherwise empty folder', () => {
  let bellbird: Running;
  let cwd: string;
  beforeAll(async () => {
    cwd = await hostileFolder();
    // Uses the default data folder, to see what it creates where it is started.
    bellbird = await startBellbird({ cwd, dataDir: join(cwd, 'data'), env: { BELLBIRD_PROT: '1' } });
  });
  afterAll(async () => {
    await bellbird?.stop();
    await rm(cwd, { recursive: true, force: true });
  });

  test('neither .env nor bunfig.toml has any effect', async () => {
    const health = await fetch(`${bellbird.url}/healthz`);
    expect(await health.json()).toMatchObject({ ok: true, pid: bellbird.pid, version: packageJson.version });
    expect(bellbird.log()).not.toContain('EVIL');
  });

  test('an unknown setting causes a warning', async () => {
    await bellbird.printed(/BELLBIRD_PROT is not a setting of Bellbird.*BELLBIRD_PORT/);
  });

  test('the page and every file it names are compressed and cacheable', async () => {
    const page = await fetch(`${bellbird.url}/`, { headers: { 'accept-encoding': 'identity' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    const paths = [...html.matchAll(/(?:src|href|data-stream-worker)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) {
      const response = await fetch(`${bellbird.url}${path}`, {
        headers: { 'accept-encoding': 'br' },
        decompress: false,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-encoding')).toBe('br');
      const code = brotliDecompressSync(new Uint8Array(await response.arrayBuffer())).toString();
      expect(code.length).toBeGreaterThan(100);
      expect(code).not.toContain('jsxDEV');
      const known = {
        headers: { 'accept-encoding': 'br', 'if-none-match': response.headers.get('etag') ?? '' },
      };
      const again = await fetch(`${bellbird.url}${path}`, known);
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    }
  });

  test('Elysia still understands the code of each minified route', async () => {
    const { paths } = (await (await fetch(`${bellbird.url}/openapi/json`)).json()) as {
      paths: Record<string, Record<string, { 'x-level': number }>>;
    };
    const closed = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).flatMap(([method, route]) => (route['x-level'] > 0 ? [{ path, method }] : [])),
    );
    expect(closed.length).toBeGreaterThan(50);
    const answers = await Promise.all(
      closed.map(({ path, method }) => {
        const address = `${bellbird.url}${path.replaceAll(/\{\w+\}/g, '1')}`;
        return fetch(address, { method: method.toUpperCase() });
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(bellbird.log()).not.toContain('Sucrose');
  });

  test('only its owner can read its data', async () => {
    const names = [
      '.',
      'bellbird.db',
      'bellbird.db-wal',
      'bellbird.lock',
      'jwt-secret',
      'logs',
      'logs/bellbird.log',
    ];
    for (const name of names) {
      const { mode } = await stat(join(bellbird.dataDir, name));
      expect([name, mode & 0o077]).toEqual([name, 0]);
    }
  });
});

describe('a single request cannot stop the market', () => {
  let bellbird: Running;
  beforeAll(async () => {
    bellbird = await startBellbird({ env: { BELLBIRD_SIM_START: '10:30' } });
  });
  afterAll(() => bellbird?.stop());

  const send = async ({ path, init }: HostileRequest): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${bellbird.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  };

  test('each is refused with a sentence that does not repeat it', async () => {
    for (const request of HOSTILE_REQUESTS) {
      const { status, text } = await send(request);
      expect([request.name, status >= 400 && status < 500]).toEqual([request.name, true]);
      expect([request.name, JSON.parse(text).error]).toEqual([
        request.name,
        expect.stringMatching(/^[A-Z`][^[{]{9,150}\.?$/),
      ]);
    }
  });

  test('health is answered promptly while they arrive, and memory does not grow', async () => {
    // Everything runs once before it is measured.
    for (const request of HOSTILE_REQUESTS) await send(request);
    const before = await usageOf(bellbird.pid);
    const attack = Promise.all(
      Array.from({ length: 4 }, async (_, offset) => {
        for (let index = offset; index < HOSTILE_REQUESTS.length * 6; index += 4) {
          const request = HOSTILE_REQUESTS[index % HOSTILE_REQUESTS.length];
          if (request) await send(request);
        }
      }),
    );
    let isOver = false;
    const over = attack.then(() => {
      isOver = true;
    });
    // The CPU time of the server during each request; the elapsed time would also depend on other load.
    const works: number[] = [];
    while (!isOver) {
      const asked = await usageOf(bellbird.pid);
      expect((await fetch(`${bellbird.url}/healthz`)).status).toBe(200);
      works.push((await usageOf(bellbird.pid)).cpuMs - asked.cpuMs);
      await Bun.sleep(5);
    }
    await over;
    const after = await usageOf(bellbird.pid);
    const cpuPerRequest = (after.cpuMs - before.cpuMs) / (HOSTILE_REQUESTS.length * 6 + works.length);
    // One such request took 12 s and 2.7 GB.
    expect(Math.max(...works)).toBeLessThan(1500);
    expect(cpuPerRequest).toBeLessThan(30);
    expect(after.residentMb - before.residentMb).toBeLessThan(150);
  });
});
