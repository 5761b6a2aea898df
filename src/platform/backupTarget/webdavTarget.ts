import {
  type BackupTarget,
  filteredBy,
  withStreamErrors,
  MissingTargetError,
  type TargetFile,
  watched,
} from './target.ts';
import {
  addressOf,
  destinationsOf,
  LIMITS,
  IdleTimeout,
  refusalOf,
  request,
  settled,
  toTargetError,
  WebDavError,
  type WebDavLimits,
  type WebDavPlace,
} from './webdavRequests.ts';
import sax from 'sax';

const MAX_BYTES = 8_000_000;
const MAX_DEPTH = 32;
const MAX_TEXT = 4096;

const UNREADABLE = 'its list of files cannot be read';

type Found = { href: string; length: string; isFolder: boolean };

function nameOf(href: string): string | null {
  const path = URL.parse(href.trim(), 'http://any/')?.pathname ?? '';
  try {
    const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    return name === '' || name.includes('/') ? null : name;
  } catch {
    return null;
  }
}

function fileOf({ href, length, isFolder }: Found): TargetFile | null {
  const name = isFolder ? null : nameOf(href);
  const bytes = /^\s{0,8}(\d{1,15})\s{0,8}$/.exec(length)?.[1];
  return name === null || bytes === undefined ? null : { name, bytes: Number(bytes) };
}

/** Reads a `multistatus` (RFC 4918) as it arrives and ignores unknown elements. */
class Multistatus {
  readonly files: TargetFile[] = [];
  readonly #open: string[] = [];
  #found: Found | null = null;
  #isOne = false;
  readonly #parser = sax.parser(true, { xmlns: true });

  constructor() {
    const parser = this.#parser;
    parser.onerror = () => this.#refuse();
    // A document type could define entities that grow when they are read.
    parser.ondoctype = () => this.#refuse();
    parser.onopentag = (tag) => this.#begin('uri' in tag && tag.uri === 'DAV:' ? tag.local : '');
    parser.onclosetag = () => this.#end();
    parser.ontext = (text) => this.#take(text);
    parser.oncdata = (text) => this.#take(text);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  /** @throws WebDavError for an incomplete list */
  close(): void {
    this.#parser.close();
    if (!this.#isOne) this.#refuse();
  }

  #refuse(): never {
    throw new WebDavError(UNREADABLE);
  }

  #begin(name: string): void {
    const open = this.#open;
    if (open.length === 0 && name !== 'multistatus') this.#refuse();
    open.push(name);
    if (open.length > MAX_DEPTH) this.#refuse();
    if (open.length === 2 && name === 'response') this.#found = { href: '', length: '', isFolder: false };
    if (name === 'collection' && this.#found) this.#found.isFolder = true;
  }

  #end(): void {
    if (this.#open.pop() === 'multistatus') this.#isOne = true;
    if (this.#open.length !== 1 || !this.#found) return;
    const file = fileOf(this.#found);
    if (file) this.files.push(file);
    this.#found = null;
  }

  #take(text: string): void {
    const found = this.#found;
    const name = this.#open.at(-1);
    if (!found) return;
    if (name === 'href' && this.#open.length === 3) found.href = (found.href + text).slice(0, MAX_TEXT);
    if (name === 'getcontentlength') found.length = (found.length + text).slice(0, MAX_TEXT);
  }
}

/**
 * Reads the answer to a PROPFIND in bounded memory.
 * @returns the files; folders and entries without name or length are left out
 * @throws WebDavError for more than 8 MB, and for an answer that is not a list
 */
export async function readListing(body: ReadableStream<Uint8Array> | null): Promise<TargetFile[]> {
  const list = new Multistatus();
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new WebDavError('it contains too many files: give Bellbird its own folder');
    list.write(decoder.decode(chunk, { stream: true }));
  }
  list.close();
  return list.files;
}

const PARTIAL = '.partial';

const ASKED =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/></prop></propfind>';

const MULTI_STATUS = 207;
/** Answers to a MOVE of a server that takes the new name for another server's, as behind a proxy. */
const ADDRESS_REFUSED: readonly number[] = [400, 502];
/** Statuses of a refused MOVE, including those of servers without MOVE. */
const NOT_MOVED: readonly number[] = [...ADDRESS_REFUSED, 403, 405, 501];

/** The requests for the files of one folder. Failures are a WebDavError or an error of the connection. */
class Folder {
  /** True until the server refuses a MOVE. */
  #canMove = true;

  constructor(
    private readonly place: WebDavPlace,
    private readonly limits: WebDavLimits,
  ) {}

  async list(depth: 0 | 1): Promise<TargetFile[] | null> {
    const idleTimeout = new IdleTimeout(this.limits.answer);
    try {
      const answer = await request(this.place, {
        method: 'PROPFIND',
        name: '',
        body: ASKED,
        idleTimeout,
        headers: { depth: String(depth), 'content-type': 'application/xml; charset=utf-8' },
      });
      if (answer.status === MULTI_STATUS) return await readListing(answer.body);
      await answer.body?.cancel();
      if (answer.status === 404) return null;
      throw answer.ok ? new WebDavError('it is not a WebDAV folder') : refusalOf(answer, 'PROPFIND');
    } catch (error) {
      throw idleTimeout.reasonOf(error);
    } finally {
      idleTimeout.end();
    }
  }

  /** Makes the folder if it does not exist. Its parent must exist. */
  async make(): Promise<void> {
    if ((await this.list(0)) !== null) return;
    const idleTimeout = new IdleTimeout(this.limits.answer);
    await settled(this.place, { method: 'MKCOL', name: '', idleTimeout }, [200, 201, 405]);
  }

  async write(name: string, content: ReadableStream<Uint8Array>, bytes: number): Promise<void> {
    const partial = name + PARTIAL;
    const first = this.#canMove ? partial : name;
    try {
      await this.#put(first, content, bytes);
      if (this.#canMove) await this.#rename(partial, name, bytes);
    } catch (error) {
      // The next transfer removes the rest of the partial file.
      await this.remove(first).catch(() => undefined);
      throw error;
    }
  }

  async read(name: string): Promise<ReadableStream<Uint8Array>> {
    const idleTimeout = new IdleTimeout(this.limits.still);
    try {
      const answer = await request(this.place, { method: 'GET', name, idleTimeout });
      const encoding = answer.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
      if (answer.status !== 200 || answer.body === null || !['', 'identity'].includes(encoding)) {
        await answer.body?.cancel();
        throw answer.status === 200 ? new WebDavError('it compresses the file') : refusalOf(answer, 'GET');
      }
      return this.#renewing(answer.body, idleTimeout);
    } catch (error) {
      idleTimeout.end();
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const idleTimeout = new IdleTimeout(this.limits.answer);
    await settled(this.place, { method: 'DELETE', name, idleTimeout }, [200, 202, 204, 404]);
  }

  #renewing(body: ReadableStream<Uint8Array>, idleTimeout: IdleTimeout): ReadableStream<Uint8Array> {
    const watchedContent = watched(
      withStreamErrors(body, (error) => idleTimeout.reasonOf(error)),
      () => idleTimeout.renew(this.limits.still),
      () => idleTimeout.end(),
    );
    return withStreamErrors(watchedContent, (error) => toTargetError(this.place, error));
  }

  /** Sends the length, because many servers store an empty file for a chunked body. */
  async #put(name: string, content: ReadableStream<Uint8Array>, bytes: number): Promise<void> {
    const { still, settle } = this.limits;
    const idleTimeout = new IdleTimeout(still);
    const broken: unknown[] = [];
    const source = withStreamErrors(content, (error) => {
      broken.push(error);
      return error;
    });
    const body = watched(
      source,
      () => idleTimeout.renew(still),
      () => idleTimeout.renew(settle),
    );
    const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' };
    try {
      await settled(this.place, { method: 'PUT', name, headers, body, idleTimeout }, [200, 201, 204]);
    } catch (error) {
      // The content could not be read; the server is not at fault.
      throw broken.length > 0 ? broken[0] : error;
    }
  }

  async #move(from: string, destination: string): Promise<number> {
    const idleTimeout = new IdleTimeout(this.limits.settle);
    const headers = { destination, overwrite: 'T' };
    const allowed = [200, 201, 204, ...NOT_MOVED];
    return settled(this.place, { method: 'MOVE', name: from, headers, idleTimeout }, allowed);
  }

  async #rename(from: string, to: string, bytes: number): Promise<void> {
    for (const destination of destinationsOf(addressOf(this.place, to))) {
      const status = await this.#move(from, destination);
      if (status < 300) return;
      if (!ADDRESS_REFUSED.includes(status)) break;
    }
    this.#canMove = false;
    await this.#sendAgain(from, to, bytes);
  }

  /** For a server without MOVE: downloads and uploads the file again. Removes the copy if that fails. */
  async #sendAgain(from: string, to: string, bytes: number): Promise<void> {
    try {
      await this.#put(to, await this.read(from), bytes);
    } catch (error) {
      await this.remove(to).catch(() => undefined);
      throw error;
    }
    // The file has arrived. The other name is removed with the old backups.
    await this.remove(from).catch(() => undefined);
  }
}

/**
 * A folder of a WebDAV server, such as Nextcloud and most network disks have. A file gets its name when it is
 * complete. If the server can't rename, an incomplete file is removed.
 */
export function createWebDavTarget(place: WebDavPlace, limits: WebDavLimits = LIMITS): BackupTarget {
  const folder = new Folder(place, limits);
  const withTargetErrors = filteredBy((error) => toTargetError(place, error));
  return {
    prepare: () => withTargetErrors(() => folder.make()),
    doubt: async () => null,
    list: () =>
      withTargetErrors(async () => {
        const files = await folder.list(1);
        if (files !== null) return files;
        throw new MissingTargetError(
          `The WebDAV folder ${place.url} does not exist. The first backup creates it if the parent folder exists.`,
        );
      }),
    write: (name, content, bytes) => withTargetErrors(() => folder.write(name, content, bytes)),
    read: (name) => withTargetErrors(() => folder.read(name)),
    remove: (name) => withTargetErrors(() => folder.remove(name)),
  };
}
