import { AppError } from '../../../platform/http/errors.ts';
import { listFiles, openFile, type OpenLogFile } from './files.ts';
import { type Piece, readFrom, readTail } from './read.ts';

/** Where an earlier answer ended: in which file, at which byte. */
export type Place = { file: string; after: number };

/** What is answered of a file; see `tailAnswer`. */
export type Tail = Piece & { file: string; isRestarted: boolean };

async function using<T>(opened: OpenLogFile, work: (file: OpenLogFile) => Promise<T>): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.handle.close();
  }
}

/** The last lines of a file. @throws AppError 404 */
export async function tailOf(folder: string, name: string, lines: number): Promise<Tail> {
  return using(await openFile(folder, name), async ({ handle, size, id }) => ({
    ...(await readTail(handle, size, lines)),
    file: id,
    isRestarted: false,
  }));
}

const NOTHING: Piece = { text: '', end: 0, isCut: true };

/** What the file that was followed had after the place, under the name that it was given when it was put aside. */
async function restOf(folder: string, name: string, { file, after }: Place): Promise<Piece> {
  const aside = (await listFiles(folder)).find(({ id }) => id === file);
  if (!aside) return NOTHING;
  try {
    const rest = await using(await openFile(folder, aside.name), ({ handle, size, id }) =>
      id === file ? readFrom(handle, size, after) : Promise.resolve(NOTHING),
    );
    // Put aside more than once: there are files between it and the new one, which are not read.
    return { ...rest, isCut: rest.isCut || aside.name !== `${name}.1` };
  } catch (error) {
    if (error instanceof AppError) return NOTHING;
    throw error;
  }
}

/**
 * What came to a file since an earlier answer. When it was put aside meanwhile, that is the rest of it and the new file;
 * when it was emptied, all that it has now.
 *
 * @throws AppError 404
 */
export async function newIn(folder: string, name: string, place: Place): Promise<Tail> {
  return using(await openFile(folder, name), async ({ handle, size, id }) => {
    if (id === place.file) {
      const isRestarted = size < place.after;
      const piece = await readFrom(handle, size, isRestarted ? 0 : place.after);
      return { ...piece, file: id, isRestarted };
    }
    const rest = await restOf(folder, name, place);
    const fresh = await readFrom(handle, size, 0);
    return {
      text: rest.text + fresh.text,
      end: fresh.end,
      isCut: rest.isCut || fresh.isCut,
      file: id,
      isRestarted: false,
    };
  });
}
