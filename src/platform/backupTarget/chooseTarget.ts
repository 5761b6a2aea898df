import { createFolderTarget } from './folderTarget.ts';
import { createS3Target } from './s3Target.ts';
import { type BackupTarget, TargetError, type TargetPlace } from './target.ts';

/** What reaches a place. */
export function chooseTarget(place: TargetPlace): BackupTarget {
  if (place.kind === 'folder') return createFolderTarget(place.path);
  if (place.kind === 's3') return createS3Target(place);
  throw new TargetError('This kind of target is not known.');
}
