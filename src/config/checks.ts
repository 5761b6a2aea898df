import { closest, distance } from 'fastest-levenshtein';
import type { Config } from './config.ts';
import { isEverybody } from '../lib/addresses.ts';

/** Characters that a secret has at least, so that nobody guesses it. */
const MIN_SECRET = 16;
/** Of what signs tokens, which anybody can try at home. */
const MIN_JWT_SECRET = 32;

/** @param name of the environment; @param known the names that there are */
export function unknownNameWarning(name: string, known: readonly string[]): string {
  const nearest = closest(name.toUpperCase(), known);
  const isNear = distance(name.toUpperCase(), nearest) <= (name.length - 'BELLBIRD_'.length) / 2;
  const hint = isNear ? ` Did you mean ${nearest}?` : '';
  return `${name} is not a setting of Bellbird and is ignored.${hint}`;
}

/** So many streams are enough for most servers: a lower default limit needs no warning. */
const ENOUGH_STREAMS = 1000;

/** @param isChosen whether `wanted` is from the settings, and not the default */
export const openFilesWarnings = (
  limit: number | null,
  streams: number,
  { wanted, isChosen }: { wanted: number; isChosen: boolean },
): string[] =>
  limit === null || streams >= (isChosen ? wanted : Math.min(wanted, ENOUGH_STREAMS))
    ? []
    : [
        `The system allows ${limit} open files, so ${streams} live streams are served at once instead of ${wanted} (BELLBIRD_MAX_STREAMS). Raise it: LimitNOFILE of the unit, or ulimit -n.`,
      ];

/** Sentences about values that work and are still not wise. */
export function weaknessWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (config.jwtSecret !== null && config.jwtSecret.length < MIN_JWT_SECRET) {
    warnings.push(
      `BELLBIRD_JWT_SECRET is shorter than ${MIN_JWT_SECRET} characters, which makes tokens guessable.`,
    );
  }
  const keys = {
    BELLBIRD_INGEST_KEY: config.ingestKey,
    BELLBIRD_METRICS_KEY: config.metricsKey,
    BELLBIRD_RELAY_SECRET: config.relays.secret,
    BELLBIRD_BACKUP_PASSPHRASE:
      config.backup.lock?.kind === 'passphrase' ? config.backup.lock.passphrase : null,
  };
  for (const [name, key] of Object.entries(keys)) {
    if (key !== null && key.length < MIN_SECRET) {
      warnings.push(`${name} is shorter than ${MIN_SECRET} characters, which makes it guessable.`);
    }
  }
  if (config.trustedProxies.some(isEverybody)) {
    warnings.push(
      'BELLBIRD_TRUSTED_PROXIES holds every address, so anybody can call from any address they name.',
    );
  }
  if (config.news.source === 'simulator' && config.feed !== 'simulator') {
    warnings.push(
      'BELLBIRD_NEWS=simulator goes with the simulated market only: there will be no announcements.',
    );
  }
  return warnings;
}

/** @param env a replay has what its recording holds, so that what is asked for besides is not followed */
export const replayWarnings = (config: Config, env: Record<string, string | undefined>): string[] =>
  (['BELLBIRD_NEWS', 'BELLBIRD_CALENDAR'] as const).flatMap((name) => {
    const value = env[name]?.trim() || 'off';
    return config.feed !== 'replay' || value === 'off'
      ? []
      : [`${name}=${value} is ignored: a replay has what its recording holds. Only off can be chosen.`];
  });

/** Sentences about where backups go. */
function backupProblems({ place, lock, withSettings, isKeptLocally }: Config['backup']): string[] {
  const problems: string[] = [];
  if (place === null && !isKeptLocally) {
    problems.push(
      'BELLBIRD_BACKUP_TARGET must be set when BELLBIRD_BACKUP_LOCAL is no: else no backup stays.',
    );
  }
  if (place?.kind === 's3' && (place.keyId === '' || place.key === '')) {
    problems.push(
      'BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD must be set when the backup target is s3.',
    );
  }
  if (place?.kind === 'webdav' && (place.user === '' || place.password === '')) {
    problems.push(
      'BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD must be set when the backup target is a WebDAV folder.',
    );
  }
  if (place?.kind === 'webdav' && place.user.includes(':')) {
    problems.push('BELLBIRD_BACKUP_USER must have no colon when the backup target is a WebDAV folder.');
  }
  if (lock === null && place !== null && place.kind !== 'folder') {
    problems.push(
      'BELLBIRD_BACKUP_PASSPHRASE or BELLBIRD_BACKUP_RECIPIENT must be set when backups leave this machine: they are encrypted first.',
    );
  }
  if (lock === null && place !== null && withSettings) {
    problems.push(
      'BELLBIRD_BACKUP_PASSPHRASE or BELLBIRD_BACKUP_RECIPIENT must be set when settings go to the backup target: they hold secrets.',
    );
  }
  return problems;
}

/** Sentences about settings that only work together. */
export function combinationProblems(config: Config): string[] {
  const problems: string[] = [];
  if (config.feed === 'ingest' && config.ingestKey === null) {
    problems.push('BELLBIRD_INGEST_KEY must be set when BELLBIRD_FEED is ingest.');
  }
  if (config.feed === 'replay' && config.replay.file === null) {
    problems.push('BELLBIRD_REPLAY_FILE must be set when BELLBIRD_FEED is replay.');
  }
  const { engineUrl, secret } = config.relays;
  if (engineUrl !== null && secret === null) {
    problems.push('BELLBIRD_RELAY_SECRET must be set when BELLBIRD_ENGINE_URL is: relays need both.');
  }
  if (engineUrl === null && secret !== null) {
    problems.push('BELLBIRD_ENGINE_URL must be set when BELLBIRD_RELAY_SECRET is: relays need both.');
  }
  return [...problems, ...backupProblems(config.backup)];
}
