import { watch } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Subprocess } from 'bun';
import { buildWeb } from './build/web.ts';
import { isPageCode, isSharedCode } from './pageCode.ts';

const root = dirname(import.meta.dir);
/** Editors write a file in several steps, so wait this long (ms) for the last one. */
const SETTLE_MS = 80;

function startReloader(): { script: string; reload(): void; stop(): void } {
  const pages = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch() {
      let page: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          page = controller;
          pages.add(page);
          page.enqueue(bytes('retry: 300\n\n'));
        },
        cancel: () => void pages.delete(page),
      });
      return new Response(body, {
        headers: { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' },
      });
    },
  });
  return {
    script: `new EventSource('http://127.0.0.1:${server.port}').onmessage = () => location.reload();`,
    reload() {
      for (const page of pages) page.enqueue(bytes('data: reload\n\n'));
    },
    stop: () => void server.stop(true),
  };
}

function createQueue(): (name: string, job: () => Promise<void>) => void {
  const waiting = new Map<string, Timer>();
  let last = Promise.resolve();
  return (name, job) => {
    clearTimeout(waiting.get(name));
    const start = (): void => {
      waiting.delete(name);
      last = last
        .then(job)
        .catch((error: unknown) => console.error(`dev: ${name} failed.\n${explain(error)}`));
    };
    waiting.set(name, setTimeout(start, SETTLE_MS));
  };
}

function explain(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(String).join('\n') : String(error);
}

const reloader = startReloader();
const enqueue = createQueue();
let server: Subprocess | null = null;
let ending = false;

async function rebuildWeb(): Promise<void> {
  const started = performance.now();
  const next = join(root, 'dist', '.next-dev');
  await rm(next, { recursive: true, force: true });
  await buildWeb({ root, outdir: next, development: true, extraScript: reloader.script });
  await rm(join(root, 'dist', 'web'), { recursive: true, force: true });
  await rename(next, join(root, 'dist', 'web'));
  console.log(`dev: web built in ${Math.round(performance.now() - started)} ms.`);
  reloader.reload();
}

async function restartServer(): Promise<void> {
  await stopServer();
  if (ending) return;
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    onExit(_, code) {
      if (server === child && !ending)
        console.log(`dev: the server ended (code ${code}); save a file to retry.`);
    },
  });
  server = child;
}

async function stopServer(): Promise<void> {
  const child = server;
  server = null;
  if (!child || child.exitCode !== null) return;
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
  await child.exited;
  clearTimeout(patience);
}

const onChange = (folder: string) => (_: string, file: string | null) => {
  if (file === null || !/\.(tsx?|css|html|svg|png|json|sql|webmanifest)$/.test(file)) return;
  const path = `${folder}/${file}`;
  if (isPageCode(path) || isSharedCode(path)) enqueue('the web build', rebuildWeb);
  if (!isPageCode(path)) enqueue('the server', restartServer);
};
const watchers = ['web', 'src', 'migrations'].map((folder) =>
  watch(join(root, folder), { recursive: true }, onChange(folder)),
);

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  for (const watcher of watchers) watcher.close();
  reloader.stop();
  await stopServer();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

enqueue('the web build', rebuildWeb);
enqueue('the server', restartServer);
