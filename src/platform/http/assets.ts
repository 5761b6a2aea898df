import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chooseEncoding, type Encoding, isNotModified } from '#lib/http.ts';
import { lookUp } from '#lib/json.ts';

export type AssetEntry = {
  /** Name below the web folder. Compressed siblings end in `.br` and `.gz`. */
  file: string;
  contentType: string;
  /** Hash of the content. The entity tag adds the encoding, because each encoding has other bytes. */
  hash: string;
  /** True if the name contains the content's hash, so that it may be cached for ever. */
  immutable: boolean;
  encodings: readonly Encoding[];
  /** A separate content security policy, for a worker that runs further scripts. */
  policy?: string;
};

/** The form of `manifest.json`: URL path to file, and the page's content security policy. */
export type AssetManifest = { entries: Record<string, AssetEntry>; contentSecurityPolicy: string };

export type Assets = {
  /** The file for a GET or HEAD request; 304 if the caller has it; undefined if there is none. */
  respond(request: Request): Response | undefined;
};

type Loaded = { manifest: AssetManifest; bytes: Map<string, Uint8Array<ArrayBuffer>>; modified: number };

const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' } as const;

export function webFolder(): string {
  return Bun.isStandaloneExecutable
    ? join(import.meta.dir, 'web')
    : join(import.meta.dir, '..', '..', '..', 'dist', 'web');
}

function createLoader(folder: string, fresh: boolean): () => Loaded | undefined {
  const manifestPath = join(folder, 'manifest.json');
  let loaded: Loaded | undefined;
  return () => {
    if (loaded && !fresh) return loaded;
    const modified = statSync(manifestPath, { throwIfNoEntry: false })?.mtimeMs;
    if (modified === undefined) return undefined;
    if (loaded?.modified !== modified) {
      const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as AssetManifest;
      loaded = { manifest, bytes: new Map(), modified };
    }
    return loaded;
  };
}

function readFile(folder: string, { bytes }: Loaded, name: string): Uint8Array<ArrayBuffer> {
  const known = bytes.get(name);
  if (known) return known;
  const content = new Uint8Array(readFileSync(join(folder, name)));
  bytes.set(name, content);
  return content;
}

function entryFor({ manifest }: Loaded, request: Request): AssetEntry | undefined {
  const { pathname } = new URL(request.url);
  const path = pathname === '/' ? '/index.html' : pathname;
  return lookUp(manifest.entries, path);
}

/**
 * Serves the built web application from a folder, in memory after the first request of each file. Opens only files
 * that the manifest names, so that no path of a request reaches the file system.
 * @param folder contains `manifest.json` and the files it names
 * @param options.fresh checks for a newer build at every request, for development
 */
export function openAssets(folder = webFolder(), options = { fresh: !Bun.isStandaloneExecutable }): Assets {
  const load = createLoader(folder, options.fresh);
  return {
    respond(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      const web = load();
      const entry = web && entryFor(web, request);
      if (!entry) return undefined;
      const encoding = chooseEncoding(request.headers.get('accept-encoding'), entry.encodings);
      const etag = `"${entry.hash}${SUFFIXES[encoding]}"`;
      const headers = headersFor(entry, encoding, web.manifest.contentSecurityPolicy);
      headers.set('etag', etag);
      if (isNotModified(request, etag)) return new Response(null, { status: 304, headers });
      const body = readFile(folder, web, entry.file + SUFFIXES[encoding]);
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
  });
  if (encoding !== 'identity') headers.set('content-encoding', encoding);
  const own = entry.contentType.startsWith('text/html') ? policy : entry.policy;
  if (own !== undefined) headers.set('content-security-policy', own);
  return headers;
}
