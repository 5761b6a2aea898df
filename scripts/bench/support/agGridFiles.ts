import { join } from 'node:path';

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>AG Grid</title><style>
html, body, #grid { height: 100%; margin: 0 }
.is-up { color: #186a3b } .is-down { color: #a32020 }
.is-up::before { content: "▲" / ""; font-size: 8px; margin-right: 4px }
.is-down::before { content: "▼" / ""; font-size: 8px; margin-right: 4px }
</style></head>
<body><div id="grid"></div><script src="/local/agGridPage.js"></script></body>
</html>`;

/** The page needs its own policy, because files under /local run no script and AG Grid writes style elements. */
const headersFor = (type: string): Record<string, string> => ({
  'content-type': type,
  'content-security-policy': "default-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:",
});

async function bundled(file: string): Promise<Response> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, `${file}.ts`)],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const code = await outputs[0]?.text();
  if (code === undefined) throw new Error(`${file} could not be built.`);
  return new Response(code, { headers: headersFor('text/javascript') });
}

/**
 * A page with the product's scanner in AG Grid Community. It is served under /local and therefore reads the same stream
 * as the product's page.
 * @returns a function that answers a request for one of its files, and returns undefined for any other
 */
export async function agGridFiles(): Promise<(request: Request) => Promise<Response | undefined>> {
  const files = new Map([
    ['/local/agGrid.html', new Response(PAGE, { headers: headersFor('text/html') })],
    ['/local/agGridPage.js', await bundled('agGridPage')],
    ['/local/agGridWorker.js', await bundled('agGridWorker')],
  ]);
  return async (request) => files.get(new URL(request.url).pathname)?.clone();
}
