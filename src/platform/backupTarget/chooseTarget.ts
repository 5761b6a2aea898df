import { createFolderTarget } from './folderTarget.ts';
import { createS3Target } from './s3Target.ts';
import type { BackupTarget, TargetPlace } from './target.ts';
import { createWebDavTarget } from './webdav/webdavTarget.ts';

/** What reaches a place. */
export function chooseTarget(place: TargetPlace): BackupTarget {
  if (place.kind === 'folder') return createFolderTarget(place.path);
  return place.kind === 's3' ? createS3Target(place) : createWebDavTarget(place);
}
