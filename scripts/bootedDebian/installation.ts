import { join } from 'node:path';
import { freePort, post } from '#support/executable.ts';
import { docsLines } from './docsLines.ts';
import { Machine } from './machine.ts';

export const PASSWORD = 'a good password';
const SERVES_WITHIN_MS = 60_000;

export type Bench = { base: string; folder: string; released: string };

export async function until(what: string, limitMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    if (await isSo().catch(() => false)) return performance.now() - began;
    await Bun.sleep(50);
  }
  throw new Error(`${what} did not happen within ${limitMs / 1000} s.`);
}

/** Replaces names in the docs' lines by those of this machine's processor. */
export const forThis = (lines: string): string =>
  lines.replaceAll('bellbird-linux-arm64', 'bellbird-linux-x64');

/** Bellbird as a service on its own machine, installed with the lines of docs/install.md. */
export class Installation {
  readonly url: string;

  private constructor(
    readonly machine: Machine,
    readonly port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  static async create(bench: Bench, name: string): Promise<Installation> {
    const machine = Machine.create(bench.base, bench.folder, name);
    machine.put(bench.released, '/root/bellbird-linux-x64');
    machine.put(join(import.meta.dir, '..', '..', 'deploy'), '/root/deploy');
    await machine.boot();
    const made = new Installation(machine, await freePort());
    await machine.run('install -D -m 600 /dev/null /etc/bellbird/env');
    await made.configure();
    await machine.run(docsLines('Another Linux with systemd'));
    return made;
  }

  static at = (machine: Machine, port: number): Installation => new Installation(machine, port);

  async configure(more = ''): Promise<void> {
    const settings = docsLines('Set the address').replaceAll(
      'raspberrypi.local:3000',
      `127.0.0.1:${this.port}`,
    );
    const stdin = `${settings}\nBELLBIRD_PORT=${this.port}\n${more}\n`;
    await this.machine.run('cat > /etc/bellbird/env', { stdin });
  }

  async start(): Promise<void> {
    await this.machine.run(docsLines('A git checkout', 'enable --now'));
  }

  serves(limitMs = SERVES_WITHIN_MS): Promise<number> {
    return until('The server', limitMs, async () => (await this.health()) !== null);
  }

  async health(): Promise<{ pid: number; version: string; commit: string } | null> {
    const response = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(3000) }).catch(
      () => null,
    );
    return response?.ok
      ? ((await response.json()) as { pid: number; version: string; commit: string })
      : null;
  }

  async becomeAdministrator(username = 'boss'): Promise<string> {
    let token = '';
    await until('The set-up link', 10_000, async () => {
      const { out } = await this.machine.run('journalctl -u bellbird -n 20 -o cat');
      token = [...out.matchAll(/setup=([\w-]+)/g)].at(-1)?.[1] ?? '';
      return token !== '';
    });
    const account = { username, password: PASSWORD, platform: 'web', setupToken: token };
    return this.tokenOf(await post(`${this.url}/api/register`, account));
  }

  async login(identifier: string, password = PASSWORD): Promise<string> {
    return this.tokenOf(await post(`${this.url}/api/login`, { identifier, password }));
  }

  async call<T>(token: string, method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: token },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  async watch(token: string, symbol: string): Promise<number> {
    let id = 0;
    await until('The market', 20_000, async () => {
      ({ id } = await this.call<{ id: number }>(token, 'POST', '/watchlist', { symbol }));
      return true;
    });
    return id;
  }

  async watched(token: string): Promise<{ id: number; symbol: string; note: string | null }[]> {
    return (
      await this.call<{ items: { id: number; symbol: string; note: string | null }[] }>(
        token,
        'GET',
        '/watchlist',
      )
    ).items;
  }

  private async tokenOf(response: Response): Promise<string> {
    const answer = (await response.json()) as { accessToken?: unknown };
    const token = answer.accessToken;
    if (!response.ok || typeof token !== 'string') {
      throw new Error(`No session: ${response.status} ${JSON.stringify(answer)}`);
    }
    return token;
  }
}
