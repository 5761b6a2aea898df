import { capitalised } from '#lib/wording.ts';
import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import type { JobRunner } from '#platform/install/shared/jobProcess.ts';
import { placeText, type TargetPlace } from '#platform/backupTarget/target.ts';

/** A share that hangs never answers by itself, ms. */
const WAIT_MS = 20_000;

/** As *Connections* shows it. */
export const TARGET_TRIAL = { name: 'Backup target', tries: 'Looks what is there; writes nothing.' };

const REMEDIES: Readonly<Record<TargetPlace['kind'], string>> = {
  folder: 'Look whether its disk or share is mounted, and whether the user of this service may use it.',
  s3: 'Compare BELLBIRD_BACKUP_TARGET, its S3 settings, BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD with what the service says.',
  webdav:
    'Compare BELLBIRD_BACKUP_TARGET, BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD with what the server says.',
};
const LATE = 'it does not answer within 20 seconds';

function told(report: Record<string, unknown>, place: TargetPlace, where: string): Finding {
  const { name } = TARGET_TRIAL;
  const { doubt, backups } = report;
  // The next backup is refused there.
  if (typeof doubt === 'string' && place.kind === 'folder') return bad(name, doubt, REMEDIES.folder);
  if (typeof doubt === 'string')
    return doubtful(name, doubt, 'If backups went there before, compare BELLBIRD_BACKUP_TARGET.');
  const count = Array.isArray(backups) ? backups.length : 0;
  const held = count === 0 ? 'no backup yet' : count === 1 ? 'one backup' : `${count} backups`;
  return good(name, `${where} answers and holds ${held}.`);
}

/**
 * Looks what is at the backup target, in a process of its own, which is ended where it hangs. Nothing is written there. Never
 * rejects.
 *
 * @param runList runs `list-target`
 * @param waitMs for tests
 */
export async function targetFinding(
  place: TargetPlace,
  runList: JobRunner,
  waitMs = WAIT_MS,
): Promise<Finding> {
  const where = placeText(place);
  const sentenceStart = capitalised(where);
  const run = runList({ place }, () => undefined);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    run.cancel();
  }, waitMs);
  const report = await run.finished;
  clearTimeout(limit);
  if (report.ok) return told(report, place, sentenceStart);
  const says = isLate ? `${sentenceStart} can’t be used: ${LATE}.` : report.reason;
  return bad(TARGET_TRIAL.name, says, REMEDIES[place.kind]);
}
