import sax from 'sax';
import type { TargetFile } from '../target.ts';
import { WebDavError } from './errors.ts';

/** Some 20,000 files, with as few properties as are asked for. */
const MAX_BYTES = 8_000_000;
/** A list of files is seven deep. */
const MAX_DEPTH = 32;
const MAX_TEXT = 4096;

const UNREADABLE = 'its list of files can’t be read';

/** What is written of one file or folder. */
type Found = { href: string; length: string; isFolder: boolean };

/** The last name of an address or path; null where it is none. */
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

/** Reads a `multistatus` (RFC 4918) as it comes; whatever else stands in it is passed over. */
class Multistatus {
  readonly files: TargetFile[] = [];
  /** The open elements, by the name that those of WebDAV have. */
  readonly #open: string[] = [];
  #found: Found | null = null;
  #isOne = false;
  readonly #parser = sax.parser(true, { xmlns: true });

  constructor() {
    const parser = this.#parser;
    parser.onerror = () => this.#refuse();
    // Nothing is defined in it, so nothing grows when it is read.
    parser.ondoctype = () => this.#refuse();
    parser.onopentag = (tag) => this.#begin('uri' in tag && tag.uri === 'DAV:' ? tag.local : '');
    parser.onclosetag = () => this.#end();
    parser.ontext = (text) => this.#take(text);
    parser.oncdata = (text) => this.#take(text);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  /** @throws WebDavError for what was no list, or not whole */
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
 * Reads the answer to a PROPFIND as it comes, in bounded memory.
 *
 * @returns the files in it; folders, and what has no name or length, are left out
 * @throws WebDavError for more than 8 MB, and for what is no list
 */
export async function readListing(body: ReadableStream<Uint8Array> | null): Promise<TargetFile[]> {
  const list = new Multistatus();
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES)
      throw new WebDavError('it holds too many files: give Bellbird a folder of its own');
    list.write(decoder.decode(chunk, { stream: true }));
  }
  list.close();
  return list.files;
}
