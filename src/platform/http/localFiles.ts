import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isNotModified } from '#lib/http.ts';
import { errorCode } from '#lib/errors.ts';

const PREFIX = '/local/';
/** Allows pictures, styles and pages. Scripts are blocked: they would have the user's session. */
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

/** The names in a path below the folder; null if one could lead out of it or is hidden. */
function namesOf(path: string): string[] | null {
  try {
    const names = path.split('/').map(decodeURIComponent);
    const isSafe = names.every((name) => name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name));
    return isSafe ? names : null;
  } catch {
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

/** A file in the folder, with an entity tag of its version; undefined if there is none. */
async function find(root: string, names: readonly string[]): Promise<Found | undefined> {
  const file = await realpath(join(root, ...names)).catch(missing);
  if (file === undefined || !file.startsWith(root + sep)) return undefined;
  const info = await stat(file).catch(missing);
  if (!info?.isFile()) return undefined;
  return { file, etag: `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}"` };
}

/**
 * Serves the operator's own files under /local.
 * @param folder checked at every request, so it may be made or filled while the server runs
 * @returns a function that returns undefined for everything else
 */
export function createLocalFiles(folder: string): (request: Request) => Promise<Response | undefined> {
  return async (request) => {
    const { method, url } = request;
    const path = URL.parse(url)?.pathname ?? '';
    if (!path.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const names = namesOf(path.slice(PREFIX.length));
    const root = await realpath(folder).catch(missing);
    const found = names && root !== undefined ? await find(root, names) : undefined;
    if (!found) return undefined;
    const headers = { ...HEADERS, etag: found.etag };
    if (isNotModified(request, found.etag)) return new Response(null, { status: 304, headers });
    return new Response(Bun.file(found.file), { headers });
  };
}
