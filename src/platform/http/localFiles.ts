import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { staticPlugin } from '@elysiajs/static';
import { Elysia } from 'elysia';
import { isNotModified } from '#lib/notModified.ts';
import { errorCode } from '#lib/errorCode.ts';

const PREFIX = '/local';
/**
 * Pictures, styles and pages of the operator work; scripts in them do not run, because here they would run with the
 * session of anyone who is signed in.
 */
const POLICY = [
  "default-src 'self' data:",
  "script-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

type Serve = (request: Request) => Response | Promise<Response>;

/**
 * The static plugin on a folder that exists. It finds the file, its type and its bytes. It does not find out
 * - whether a name leads out of the folder, is hidden, or is a link to elsewhere: it would serve all three,
 * - whether a file changed: with its own entity tags it keeps the first answer, and a page that it knew at its start
 *   comes cut to the length that it had then.
 * So it is only asked for files that `find` has found, without tags, and with no page known at its start.
 * @returns null when a subfolder can't be read (a disk's lost+found): looking for pages, the plugin gives up at it
 */
async function openPlugin(folder: string): Promise<Serve | null> {
  // Read by the plugin while it looks for pages, and later by each request.
  const ignorePatterns = [/\.html$/];
  const options = {
    assets: folder,
    prefix: PREFIX,
    alwaysStatic: false,
    decodeURI: true,
    etag: false,
    indexHTML: false,
    ignorePatterns,
    headers: HEADERS,
  };
  const plugin = await staticPlugin(options).catch(missing);
  ignorePatterns.length = 0;
  return plugin ? new Elysia().use(plugin).handle : null;
}

/** The names in a path below the folder; null when one of them could lead out of it or is hidden. */
function namesOf(path: string): string[] | null {
  try {
    const names = path.split('/').map(decodeURIComponent);
    const isSafe = names.every((name) => name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name));
    return isSafe ? names : null;
  } catch {
    // A percent sign that starts no valid escape: no file has such an address.
    return null;
  }
}

function missing(error: unknown): undefined {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ENAMETOOLONG')
    return undefined;
  throw error;
}

type Found = { file: string; etag: string };

/** A file that truly stands in the folder, with an entity tag of its version; undefined when there is none. */
async function find(root: string, names: readonly string[]): Promise<Found | undefined> {
  const file = await realpath(join(root, ...names)).catch(missing);
  // A symbolic link may point anywhere.
  if (file === undefined || !file.startsWith(root + sep)) return undefined;
  const info = await stat(file).catch(missing);
  if (!info?.isFile()) return undefined;
  return { file, etag: `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}"` };
}

/**
 * Serves the operator's own files: what stands in the folder appears under /local.
 *
 * @param folder looked at on every request, so it may be made or filled while the server runs
 * @returns a function that answers undefined for everything that is not a file in that folder
 */
export function createLocalFiles(folder: string): (request: Request) => Promise<Response | undefined> {
  let plugin: Promise<Serve | null> | undefined;

  const send = async (method: string, names: readonly string[], file: string): Promise<Response> => {
    plugin ??= openPlugin(folder);
    const serve = await plugin;
    if (serve === null) return new Response(method === 'HEAD' ? null : Bun.file(file), { headers: HEADERS });
    // Written again, so that the plugin reads the very names that were checked.
    const address = `http://localhost${PREFIX}/${names.map(encodeURIComponent).join('/')}`;
    return serve(new Request(address, { method }));
  };

  return async (request) => {
    const { method, url } = request;
    const path = URL.parse(url)?.pathname ?? '';
    if (!path.startsWith(`${PREFIX}/`) || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const names = namesOf(path.slice(PREFIX.length + 1));
    const root = await realpath(folder).catch(missing);
    const found = names && root !== undefined ? await find(root, names) : undefined;
    if (!names || !found) return undefined;
    const { file, etag } = found;
    if (isNotModified(request, etag))
      return new Response(null, { status: 304, headers: { ...HEADERS, etag } });
    const response = await send(method, names, file);
    if (!response.ok) return undefined;
    response.headers.set('etag', etag);
    return response;
  };
}
