/**
 * Stands in for a server under its supervisor, started in some milliseconds. Its arguments set its behaviour: fakeServer.ts <commit> <behaviour>
 * <database> server
 */
import { Database } from 'bun:sqlite';

const [commit = '', behaviour = 'good', database = ''] = process.argv.slice(2);

/** As a migration and the writes of a trial would. */
function note(): void {
  const client = new Database(database, { create: true });
  client.run('PRAGMA journal_mode = WAL');
  client.run('CREATE TABLE IF NOT EXISTS runs ("commit" TEXT)');
  client.run('INSERT INTO runs VALUES (?1)', [commit]);
  // Left open, so a log is next to it, as after a kill.
}

const stream = (): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('event: snapshot\ndata: {}\n\n')),
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );

function end(code: number): never {
  process.exit(code);
}

function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname === '/end') setTimeout(end, 1, Number(new URL(request.url).searchParams.get('code')));
  if (pathname === '/api/data/stream') {
    return behaviour === 'no stream' ? new Response('no', { status: 500 }) : stream();
  }
  if (behaviour === 'sick') return Response.json({ ok: false }, { status: 500 });
  return Response.json({ ok: true, pid: process.pid, commit: behaviour === 'other' ? 'other' : commit });
}

console.log(`${commit} starts with the secret hunter2hunter2`);
if (behaviour === 'no start') {
  console.error('It can not start.');
  end(3);
}
process.on('SIGTERM', () => {
  process.send?.({ type: 'released' });
  end(0);
});
process.on('disconnect', () => end(1));
process.on('message', (message: { type: string }) => {
  if (message.type === 'trialOver') console.log('the trial is over');
  if (message.type !== 'bind') return;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: Number(process.env['BELLBIRD_PORT']),
    reusePort: false,
    fetch: answer,
  });
  process.send?.({ type: 'listening', port: server.port });
  note();
  if (behaviour === 'dies in start') end(4);
  process.send?.({ type: 'started' });
  if (behaviour === 'dies') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
});
process.send?.({ type: 'binding' });
