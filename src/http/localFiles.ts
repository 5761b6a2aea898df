import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

const PREFIX = '/local/';

/** The parts of a path below the folder; null when one of them could lead out of it or is hidden. */
function safeParts(path: string): string[] | null {
  try {
    const parts = path.split('/').map(decodeURIComponent);
    const good = parts.every((part) => part !== '' && !part.startsWith('.') && !/[/\\\0]/.test(part));
    return good ? parts : null;
  } catch {
    // A percent sign that starts no valid escape: no file has such an address.
    return null;
  }
}

function missing(error: unknown): undefined {
  const { code } = error as { code?: string };
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ENAMETOOLONG')
    return undefined;
  throw error;
}

/**
 * Serves the operator's own files: what stands in the folder appears under /local.
 *
 * @param folder looked at on every request, so it may be made or filled while the server runs
 * @returns a function that answers undefined for everything that is not a file in that folder
 */
export const createLocalFiles =
  (folder: string) =>
  async (request: Request): Promise<Response | undefined> => {
    const path = URL.parse(request.url)?.pathname ?? '';
    if (!path.startsWith(PREFIX) || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
    const parts = safeParts(path.slice(PREFIX.length));
    if (parts === null) return undefined;
    const root = await realpath(folder).catch(missing);
    if (root === undefined) return undefined;
    const file = await realpath(join(root, ...parts)).catch(missing);
    // A symbolic link may point anywhere; only what truly stands in the folder is served.
    if (file === undefined || !file.startsWith(root + sep)) return undefined;
    const info = await stat(file).catch(missing);
    if (!info?.isFile()) return undefined;
    const etag = `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}"`;
    const headers = { etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : Bun.file(file), { headers });
  };
