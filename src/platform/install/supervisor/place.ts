import type { Server } from 'bun';

const STARTING = 'Bellbird is starting again. Try again in a few seconds.';
const RETRY_AFTER_SECONDS = '2';

const PAGE = `<!doctype html>
<html lang="en-AU">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<meta http-equiv="refresh" content="2">
<title>Bellbird is starting</title>
<p>Bellbird is starting again. This page reloads automatically in a few seconds.</p>
`;

const HEADERS = {
  'cache-control': 'no-store',
  'retry-after': RETRY_AFTER_SECONDS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/** A page for browsers, a sentence for other clients. */
function answer(request: Request): Response {
  const isPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html');
  if (!isPage) return Response.json({ error: STARTING }, { status: 503, headers: HEADERS });
  return new Response(PAGE, {
    status: 503,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' },
  });
}

/** Holds the port while no server has it, and answers "try again". */
export type Place = {
  /** Takes the port as soon as it is free. Does nothing if the port is held. */
  hold(port: number): void;
  letGo(): Promise<void>;
};

const TRY_EVERY_MS = 20;

export function createPlace(host: string): Place {
  let server: Server<undefined> | null = null;
  let attempt: ReturnType<typeof setTimeout> | null = null;

  function take(port: number): void {
    attempt = null;
    try {
      server = Bun.serve({ hostname: host, port, reusePort: false, development: false, fetch: answer });
    } catch {
      // The port is not free yet, or another program took it. The next server reports that.
      attempt = setTimeout(take, TRY_EVERY_MS, port);
    }
  }

  return {
    hold(port) {
      if (server === null && attempt === null) take(port);
    },
    async letGo() {
      if (attempt !== null) clearTimeout(attempt);
      attempt = null;
      const held = server;
      server = null;
      await held?.stop(true);
    },
  };
}
