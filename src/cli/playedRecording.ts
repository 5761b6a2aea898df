import { join } from 'node:path';
import { loadConfig, type LoadedConfig } from '../config.ts';
import type { DataPaths } from '../dataPaths.ts';
import { RECORDING_ENDING } from '../admin/recordings/rules/recordingName.ts';
import { forgetPlayed, playedName, whyNotPlayable } from '../market/recording/playChoice.ts';

const IN_SETTINGS = 'The settings name a recording themselves (BELLBIRD_FEED=replay).';

/**
 * The settings with the recording that was chosen in the Admin Panel in the place of their source. One that can't be
 * played is forgotten with a warning, so that a server always starts.
 *
 * @param settings as they were read out of `env`
 */
export function withPlayedRecording(
  env: Record<string, string | undefined>,
  settings: LoadedConfig,
  paths: Pick<DataPaths, 'recordings' | 'played'>,
): LoadedConfig {
  const name = playedName(paths.played);
  if (name === null) return settings;
  const path = join(paths.recordings, name + RECORDING_ENDING);
  const { fromSettings } = settings.config.replay;
  const problem = fromSettings ? IN_SETTINGS : whyNotPlayable(path);
  if (problem === null) return loadConfig(env, { name, path });
  forgetPlayed(paths.played);
  const warning = `The recording ${name} that was chosen in the Admin Panel is not played: ${problem}`;
  return { ...settings, warnings: [...settings.warnings, warning] };
}
