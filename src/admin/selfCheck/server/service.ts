import type { Config } from '#src/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Finding } from '#lib/finding.ts';
import { ownAddress } from '#lib/hostAddress.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { type Probe, runProbe } from '#lib/httpClient/probe.ts';
import type { JobRunner } from '#platform/install/shared/jobProcess.ts';
import { sourceProbes } from '#sources/probes.ts';
import { clockFinding } from '../rules/clockFinding.ts';
import { chatProbes } from './chatProbes.ts';
import { modelProbes } from './modelProbe.ts';
import { publicAddressFindings } from './publicAddress.ts';
import { targetFinding } from './targetFinding.ts';

export { machineFindings } from './machine.ts';
export { askForOneToken, MODEL_REMEDY } from './modelWatch.ts';
export { TARGET_TRIAL, targetFinding } from './targetFinding.ts';

type Needs = { http: HttpClient; clock: SystemClock };
type CheckNeeds = Needs & {
  /** Runs `list-target`. */
  runList: JobRunner;
};

/** The questions that cost nothing, to the configured sources and chat platforms. @param now epoch ms */
export const freeProbes = (config: Config, now: number): Probe[] => [
  ...sourceProbes(config, now),
  ...chatProbes(config),
];

/**
 * Asks every configured source, chat platform and model, the backup target and the public address, all at once and each
 * within its time limit. Nothing is sent to anybody and nothing changed anywhere. Never rejects.
 * @returns the clock first, as what is wrong with it makes other things wrong
 */
export async function networkFindings(config: Config, needs: CheckNeeds): Promise<Finding[]> {
  const { place } = config.backup;
  const [probed, target, address] = await Promise.all([
    Promise.all(
      [...freeProbes(config, needs.clock.now()), ...modelProbes(config)].map((probe) =>
        runProbe(probe, needs),
      ),
    ),
    place === null ? [] : targetFinding(place, needs.runList).then((finding) => [finding]),
    publicAddressFindings(config.publicUrl, ownAddress(config), needs),
  ]);
  const ahead = probed.flatMap(({ aheadMs }) => (aheadMs === null ? [] : [aheadMs]));
  return [clockFinding(ahead), ...probed.map(({ finding }) => finding), ...target, ...address];
}
