/* A push service that takes everything after as long as a real one needs; it prints where it is. */

const ANSWER_MS = 30;

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    await Bun.sleep(ANSWER_MS);
    return new Response(null, { status: 201 });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
