import { bad, doubtful, type Finding, good } from '#lib/finding.ts';

/** A file or folder of the data, as this process sees it. */
export type SeenFile = { path: string; uid: number; isOpen: boolean; isWritable: boolean };

const WHAT = 'Rights';
const SOME = 3;

function named(files: readonly SeenFile[]): string {
  const more = files.length > SOME ? ` and ${files.length - SOME} more` : '';
  return (
    files
      .slice(0, SOME)
      .map(({ path }) => path)
      .join(', ') + more
  );
}

function ownerFinding(files: readonly SeenFile[], folder: string, uid: number): Finding | null {
  const others = files.filter((file) => file.uid !== uid);
  const [first] = others;
  if (first === undefined) return null;
  const says = `${named(others)} ${others.length === 1 ? 'belongs' : 'belong'} to another user (${first.uid}) than the one of this command (${uid}).`;
  const asService =
    'Run this as the user of the service: "sudo -u bellbird env BELLBIRD_DATA=… bellbird check".';
  // Root may do everything, so that what it finds says nothing of the service.
  if (uid === 0) return doubtful(WHAT, says, asService);
  return bad(
    WHAT,
    says,
    `Give the data to the user that runs Bellbird: "sudo chown -R USER ${folder}", or run this as that user.`,
  );
}

/**
 * What is to be said of the rights of the data folder and what is in it.
 * @param files the folder first; empty where there is none yet
 * @param uid the user of this process; null where the system has none
 */
export function rightsFindings(files: readonly SeenFile[], folder: string, uid: number | null): Finding[] {
  if (files.length === 0)
    return [good(WHAT, `The data folder ${folder} is not there yet; the first start makes it.`)];
  const owner = uid === null ? null : ownerFinding(files, folder, uid);
  const locked = files.filter(({ isWritable }) => !isWritable);
  const open = files.filter(({ isOpen }) => isOpen);
  const found = [
    owner,
    locked.length === 0
      ? null
      : bad(
          WHAT,
          `${named(locked)} can't be written.`,
          `Give the owner the right to write: "chmod -R u+rwX ${folder}".`,
        ),
    open.length === 0
      ? null
      : doubtful(
          WHAT,
          `Others can read ${named(open)}.`,
          `Close them: "chmod -R go-rwx ${folder}"; the next start does it too where the folder holds nothing else.`,
        ),
  ].filter((finding) => finding !== null);
  return found.length > 0
    ? found
    : [good(WHAT, `The data folder ${folder} belongs to this user alone and can be written.`)];
}
