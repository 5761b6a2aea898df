const USER = 'me';
const PASSWORD = 'a-planted-password';
const ROOT = '/dav/';
const AUTHORIZATION = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;

const refuse = (status: number, headers: Record<string, string> = {}): Response =>
  // A careless server may repeat this, but no message may contain it.
  new Response(`No. You sent ${AUTHORIZATION}`, { status, headers });

const entry = (href: string, properties: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}</D:prop>` +
  '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>';

const multistatus = (entries: readonly string[]): Response =>
  new Response(
    `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:x="urn:x">${entries.join('')}</D:multistatus>`,
    { status: 207, headers: { 'content-type': 'application/xml' } },
  );

/** The current faults of the server. */
const goodDay = () => ({
  /** The answer to a method instead of the normal one. */
  refusals: {} as Record<string, () => Response | Promise<Response>>,
  /** It reports success and stores half of a file. */
  isHalving: false,
  canMove: true,
  /** The only form of its own address that it accepts, as behind a proxy. */
  knownAs: null as string | null,
});

/** As much of WebDAV as a backup needs, with strict checks of requests. */
export function startFakeWebDav() {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const folders = new Set(['pi']);
  const asked: string[] = [];
  const state = goodDay();
  const list = (folder: string, depth: string | null): Response => {
    if (!folders.has(folder)) return refuse(404);
    const own = entry(`${ROOT}${folder}/`, '<D:resourcetype><D:collection/></D:resourcetype>');
    if (depth === '0') return multistatus([own]);
    if (depth !== '1') return refuse(400);
    const inside = [...files].filter(([path]) => path.startsWith(`${folder}/`));
    const rows = inside.map(([path, { length }]) =>
      entry(
        ROOT + path.replaceAll(' ', '%20'),
        `<D:resourcetype/><x:size>7</x:size><D:getcontentlength>${length}</D:getcontentlength>`,
      ),
    );
    return multistatus([own, ...rows]);
  };
  const put = async (path: string, request: Request): Promise<Response> => {
    const length = request.headers.get('content-length') ?? '';
    if (!/^\d+$/.test(length) || request.headers.has('transfer-encoding')) return refuse(411);
    if (!folders.has(path.slice(0, path.lastIndexOf('/')))) return refuse(409);
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of request.body ?? []) chunks.push(chunk);
    } finally {
      // Like many servers, it keeps what arrived before the connection broke.
      const bytes = Buffer.concat(chunks);
      files.set(path, state.isHalving ? bytes.subarray(0, bytes.length / 2) : bytes);
    }
    return files.get(path)?.length === Number(length) || state.isHalving
      ? new Response(null, { status: 201 })
      : refuse(400);
  };
  const move = (path: string, { headers, url }: Request): Response => {
    if (!state.canMove) return refuse(405);
    const to = headers.get('destination') ?? '';
    if (state.knownAs !== null && !to.startsWith(state.knownAs)) return refuse(502);
    const target = URL.parse(to, url);
    if (target?.host !== new URL(url).host || headers.get('overwrite') !== 'T') return refuse(400);
    const bytes = files.get(path);
    if (!bytes) return refuse(404);
    files.delete(path);
    files.set(decodeURIComponent(target.pathname.slice(ROOT.length)), bytes);
    return new Response(null, { status: 201 });
  };
  const make = (path: string): Response => {
    const folder = path.replace(/\/$/, '');
    if (folders.has(folder)) return refuse(405);
    if (folder.includes('/') && !folders.has(folder.slice(0, folder.lastIndexOf('/')))) return refuse(409);
    folders.add(folder);
    return new Response(null, { status: 201 });
  };
  const answer = (path: string, request: Request): Response | Promise<Response> => {
    const folder = path.endsWith('/') ? path.slice(0, -1) : '';
    if (request.method === 'PROPFIND') return list(folder, request.headers.get('depth'));
    if (request.method === 'MKCOL') return make(path);
    if (request.method === 'PUT') return put(path, request);
    if (request.method === 'MOVE') return move(path, request);
    if (request.method === 'DELETE') return new Response(null, { status: files.delete(path) ? 204 : 404 });
    const found = files.get(path);
    return found ? new Response(found) : refuse(404);
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const path = decodeURIComponent(new URL(request.url).pathname);
      asked.push(`${request.method} ${path}`);
      if (request.headers.get('authorization') !== AUTHORIZATION)
        return refuse(401, { 'www-authenticate': 'Basic realm="dav"' });
      const refusal = state.refusals[request.method];
      if (refusal) return refusal();
      return path.startsWith(ROOT) ? answer(path.slice(ROOT.length), request) : refuse(404);
    },
  });
  return {
    files,
    folders,
    asked,
    state,
    place: {
      kind: 'webdav',
      url: `http://127.0.0.1:${server.port}${ROOT}pi`,
      user: USER,
      password: PASSWORD,
    } as const,
    /** A text that must appear nowhere. */
    secrets: [PASSWORD, AUTHORIZATION.slice('Basic '.length)],
    refuse,
    reset(): void {
      files.clear();
      folders.clear();
      folders.add('pi');
      asked.length = 0;
      Object.assign(state, goodDay());
    },
    stop: () => server.stop(true),
  };
}
