import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One file of the web application as the build left it. */
export type AssetEntry = {
  /** Name below the web folder; compressed siblings end in `.br` and `.gz`. */
  file: string;
  contentType: string;
  /** Hash of the content; the entity tag adds the encoding, as each encoding is another sequence of bytes. */
  hash: string;
  /** True when the name holds the content's hash, so that it may be kept for ever. */
  immutable: boolean;
  encodings: readonly Encoding[];
};

/** What `bun run build` writes to `manifest.json`: URL path to file, and the page's content security policy. */
export type AssetManifest = { entries: Record<string, AssetEntry>; contentSecurityPolicy: string };

export type Assets = {
  /** The file for a GET or HEAD request, 304 when the caller has it already, undefined when there is none. */
  respond(request: Request): Response | undefined;
};

type Encoding = 'br' | 'gzip';
type Loaded = { manifest: AssetManifest; bytes: Map<string, Uint8Array<ArrayBuffer>>; modified: number };

const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' } as const;

/** Where the web application lies: inside the executable, else where the build puts it. */
export function webFolder(): string {
  return Bun.isStandaloneExecutable
    ? join(import.meta.dir, 'web')
    : join(import.meta.dir, '..', '..', 'dist', 'web');
}

/**
 * Serves the built web application from a folder, in memory after the first request of each file.
 * Only names in the manifest are ever opened, so no path of a request reaches the file system.
 * @param folder holds `manifest.json` and the files it names.
 * @param options.fresh looks at every request whether a newer build is there, for development.
 * @returns assets that answer undefined for everything when nothing was built.
 */
export function openAssets(folder = webFolder(), options = { fresh: !Bun.isStandaloneExecutable }): Assets {
  const manifestPath = join(folder, 'manifest.json');
  let loaded: Loaded | undefined;

  const load = (): Loaded | undefined => {
    if (loaded && !options.fresh) return loaded;
    const modified = statSync(manifestPath, { throwIfNoEntry: false })?.mtimeMs;
    if (modified === undefined) return undefined;
    if (loaded?.modified !== modified) {
      const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as AssetManifest;
      loaded = { manifest, bytes: new Map(), modified };
    }
    return loaded;
  };

  const read = ({ bytes }: Loaded, name: string): Uint8Array<ArrayBuffer> => {
    const known = bytes.get(name);
    if (known) return known;
    const content = new Uint8Array(readFileSync(join(folder, name)));
    bytes.set(name, content);
    return content;
  };

  return {
    respond(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      const web = load();
      const { pathname } = new URL(request.url);
      const path = pathname === '/' ? '/index.html' : pathname;
      if (!web || !Object.hasOwn(web.manifest.entries, path)) return undefined;
      const entry = web.manifest.entries[path];
      if (!entry) return undefined;

      const encoding = chooseEncoding(request.headers.get('accept-encoding'), entry.encodings);
      const etag = `"${entry.hash}${SUFFIXES[encoding]}"`;
      const headers = headersFor(entry, encoding, web.manifest.contentSecurityPolicy);
      headers.set('etag', etag);
      if (matches(request.headers.get('if-none-match'), etag)) {
        return new Response(null, { status: 304, headers });
      }
      const body = read(web, entry.file + SUFFIXES[encoding]);
      headers.set('content-type', entry.contentType);
      headers.set('content-length', String(body.byteLength));
      return new Response(request.method === 'HEAD' ? null : body, { headers });
    },
  };
}

function headersFor(entry: AssetEntry, encoding: Encoding | 'identity', policy: string): Headers {
  const headers = new Headers({
    'cache-control': entry.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  if (encoding !== 'identity') headers.set('content-encoding', encoding);
  if (entry.contentType.startsWith('text/html')) {
    headers.set('content-security-policy', policy);
    headers.set('referrer-policy', 'same-origin');
  }
  return headers;
}

/**
 * The encoding to answer in: the available one that the caller weighs highest, brotli before gzip at equal
 * weight, `identity` when it accepts neither (RFC 9110, 12.5.3).
 * @param accept the request's `accept-encoding`, null when it sent none.
 */
export function chooseEncoding(accept: string | null, available: readonly Encoding[]): Encoding | 'identity' {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (name) weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  let best: Encoding | 'identity' = 'identity';
  for (const name of ['gzip', 'br'] as const) {
    const floor = best === 'identity' ? identity : weightOf(best);
    if (available.includes(name) && weightOf(name) > 0 && weightOf(name) >= floor) best = name;
  }
  return best;
}

/** True when an `if-none-match` header names the tag; weak comparison, as a proxy may have weakened it. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => plain(tag) === plain(etag));
}
