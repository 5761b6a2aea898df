import { createFolderTarget } from './folderTarget.ts';
import { createS3Target } from './s3Target.ts';
import type { BackupTarget, TargetPlace } from './target.ts';

/** What reaches a place. */
export const chooseTarget = (place: TargetPlace): BackupTarget =>
  place.kind === 'folder' ? createFolderTarget(place.path) : createS3Target(place);
