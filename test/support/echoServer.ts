/** What an upstream server that is broken, hostile or badly written does with a request. */
type Answer = (told: string, mark: string) => Response;

const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init);

const ANSWERS: readonly Answer[] = [
  (told) => new Response(told, { status: 401 }),
  (told) => json({ error: { message: told, code: 0 }, message: told }, { status: 400 }),
  (told, mark) => json({ error: told }, { status: 500, headers: { 'set-cookie': `session=${mark}` } }),
  (told, mark) => new Response(told, { status: 302, headers: { location: `/again?token=${mark}` } }),
  (told, mark) => json({ access_token: mark, echo: told, data: [{ s: told, d: [told] }] }),
  (told) => new Response(`data: ${JSON.stringify({ error: told })}\n\n`, { status: 429 }),
  (told) =>
    new Response(`{"cut off": "${told.slice(0, 40)}`, { headers: { 'content-type': 'application/json' } }),
];

/**
 * A server that repeats what it was sent, headers, query and body, in answers of every kind in turn.
 * @param mark a secret of its own, which it sends as a token and a cookie
 */
export function startEchoServer(mark: string) {
  let count = 0;
  /** First parts of the paths that were asked for. */
  const asked = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const [, first = ''] = pathname.split('/');
      asked.set(first, (asked.get(first) ?? 0) + 1);
      const headers = JSON.stringify(Object.fromEntries(request.headers));
      const told = `${request.method} ${request.url} ${headers} ${await request.text()}`;
      const answer = ANSWERS[count % ANSWERS.length];
      count += 1;
      return answer ? answer(told, mark) : new Response(told);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked: (first: string): number => asked.get(first) ?? 0,
    stop: () => server.stop(true),
  };
}
