import { closest, distance } from 'fastest-levenshtein';
import { parseClosures } from '../admin/closures/rules/specialDayForm.ts';
import { SOURCE_WORDS } from '../market/recording/rules/recordingName.ts';
import { everyAddress, isEverybody, LOOPBACK } from '../lib/addresses.ts';
import { streamsWithin } from '../lib/files.ts';
import { BACKUP_SETTINGS, backupIn } from './backup.ts';
import {
  address,
  addressRanges,
  asMeant,
  decimal,
  engineAddress,
  flag,
  folderOrAddress,
  listenHost,
  oneOf,
  optional,
  origins,
  publicAddress,
  secret,
  type Setting,
  startTime,
  text,
  whole,
  withDefault,
} from './setting.ts';
import { type ShownSetting, shownSettings, withoutSecrets } from './shown.ts';

const MAX_SHIFT_SECONDS = 100 * 366 * 86_400;

/** The settings by theme, for the help and the documentation. */
export const SETTING_GROUPS = {
  Server: {
    BELLBIRD_PORT: {
      ...withDefault(whole(0, 65_535), 3000, 'Port, or 0 for a free one; without it, PORT is used'),
      also: 'PORT',
    },
    BELLBIRD_HOST: withDefault(
      listenHost,
      everyAddress(),
      'Address to listen on; :: accepts IPv4 and IPv6',
      '0.0.0.0, or :: on a machine with only IPv6',
    ),
    BELLBIRD_DATA: withDefault(text, './data', 'Folder for the database, local backups, recordings and logs'),
    BELLBIRD_PUBLIC_URL: optional(publicAddress, 'Address for users, without a path; used in links'),
    BELLBIRD_TRUSTED_PROXIES: withDefault(
      addressRanges,
      LOOPBACK,
      'Proxies whose X-Forwarded-For is trusted: addresses and networks, or none',
      LOOPBACK.join(', '),
    ),
    BELLBIRD_HSTS: withDefault(
      flag,
      false,
      'Tell browsers that use https to use only https for this host for a year',
      'off',
    ),
    BELLBIRD_VISITOR_SCANNER: optional(
      flag,
      'Show the strongest stocks to visitors on /login, /register and /calls',
      'off; on in test mode',
    ),
    BELLBIRD_SHORT_CALLS: withDefault(
      flag,
      false,
      'Allow short calls, which gain when the price falls',
      'off',
    ),
    BELLBIRD_DONATE_URL: optional(address, 'Address of the Support Me link; empty hides it'),
  },
  Prices: {
    BELLBIRD_FEED: withDefault(
      oneOf('simulator', 'tradingview', 'ingest', 'replay'),
      'simulator',
      'Price source: simulator, tradingview, ingest or replay',
    ),
    BELLBIRD_SIM_SEED: withDefault(whole(0, 4_294_967_295), 1, 'Simulator: the same seed repeats a day'),
    BELLBIRD_SIM_START: withDefault(startTime, 'auto', 'Simulator: Sydney time of the start, or auto'),
    BELLBIRD_SIM_SPEED: withDefault(decimal(0.01, 3600), 1, 'Simulator: clock speed'),
    BELLBIRD_TRADINGVIEW_URL: withDefault(address, 'https://scanner.tradingview.com', 'TradingView: address'),
    BELLBIRD_TRADINGVIEW_COOKIE: secret('TradingView: cookie of a signed-in account'),
    BELLBIRD_POLL_SECONDS: withDefault(decimal(0.05, 3600), 10, 'TradingView: seconds between requests'),
    BELLBIRD_INGEST_KEY: secret(
      'Key for POST /api/ingest/market and /api/ingest/overnight; if empty, they return 404',
    ),
    BELLBIRD_REPLAY_FILE: optional(text, 'Replay: recording to play'),
    BELLBIRD_REPLAY_SPEED: withDefault(decimal(0.01, 3600), 1, 'Replay: initial speed'),
    BELLBIRD_HISTORY_SESSIONS: withDefault(
      whole(1, 1000),
      90,
      'Trading days whose minutes of all stocks are kept, for odds and the scanner history: about 0.6 MB each, simulated 1.9 MB',
    ),
    BELLBIRD_MARKET_CLOSURES: withDefault(
      parseClosures,
      [],
      'Market closures and early closes in addition to the usual holidays',
      'none',
    ),
  },
  'Announcements and calendar': {
    BELLBIRD_NEWS: optional(
      oneOf('simulator', 'asx', 'off'),
      'Announcements: simulator, asx or off',
      'simulator with simulated prices, otherwise asx; a replay uses its recording',
    ),
    BELLBIRD_ASX_URL: withDefault(address, 'https://asx.api.markitdigital.com', 'ASX announcements: address'),
    BELLBIRD_CALENDAR: optional(
      oneOf('simulator', 'fxstreet', 'off'),
      'Economic calendar: simulator, fxstreet or off',
      'simulator with simulated prices, otherwise fxstreet; a replay uses its recording',
    ),
    BELLBIRD_FXSTREET_URL: withDefault(
      address,
      'https://calendar-api.fxsstatic.com',
      'FXStreet calendar: address',
    ),
    BELLBIRD_FOREXFACTORY_URL: withDefault(
      address,
      'https://nfs.faireconomy.media',
      'Weekly calendar if FXStreet fails: address',
    ),
  },
  'Language model': {
    BELLBIRD_AI_URL: optional(address, 'Address of an OpenAI-compatible server'),
    BELLBIRD_AI_KEY: secret('Key for that server, if it needs one'),
    BELLBIRD_AI_MODEL: optional(text, 'Name of the model'),
  },
  Messages: {
    BELLBIRD_TELEGRAM_TOKEN: secret('Token of the Telegram bot'),
    BELLBIRD_TELEGRAM_URL: withDefault(address, 'https://api.telegram.org', 'Address of the Telegram API'),
    BELLBIRD_DISCORD_TOKEN: secret('Token of the Discord bot'),
    BELLBIRD_DISCORD_URL: withDefault(address, 'https://discord.com/api', 'Address of the Discord API'),
    BELLBIRD_PUSH_SERVICES: withDefault(
      origins,
      [],
      'Web push services to allow in addition to those of Google, Mozilla, Apple and Microsoft',
      'none',
    ),
  },
  Security: {
    BELLBIRD_JWT_SECRET: secret(
      'Secret that signs login tokens, at least 32 characters',
      'created at the first start, kept in the data folder',
    ),
    BELLBIRD_ADMIN_TOTP: withDefault(
      flag,
      false,
      'Administrators must set up two-factor login before they can use the Admin Panel',
      'off',
    ),
    BELLBIRD_METRICS_KEY: secret('Key for GET /metrics (Prometheus); if empty, the route returns 404'),
  },
  Backups: BACKUP_SETTINGS,
  'Restarts and updates': {
    BELLBIRD_RELEASES: optional(folderOrAddress, 'Folder or address of the signed releases to update from'),
    BELLBIRD_SUPERVISED: withDefault(
      oneOf('auto', 'yes', 'no'),
      'auto',
      'Whether a supervisor restarts Bellbird when it exits: yes, no, or auto to detect it',
    ),
    BELLBIRD_TRIAL_SECONDS: withDefault(
      whole(1, 3600),
      60,
      'How long a new version must run without problems before an update is kept; lower it only in tests',
    ),
  },
  Limits: {
    BELLBIRD_TICK_MS: withDefault(whole(10, 60_000), 1000, 'Minimum time between updates to browsers, ms'),
    BELLBIRD_MAX_STREAMS: withDefault(whole(1, 1_000_000), 10_000, 'Maximum number of live streams'),
    BELLBIRD_MAX_STREAMS_PER_ADDRESS: withDefault(
      whole(1, 1_000_000),
      200,
      'Maximum number of live streams per client address; the windows of one browser share one',
    ),
  },
  Relays: {
    BELLBIRD_ENGINE_URL: secret(
      'Address of Redis or Valkey (redis:// or rediss://), on the primary and on relays',
      'none',
      engineAddress,
    ),
    BELLBIRD_RELAY_SECRET: secret('Long random text of primary and relays; encrypts their messages'),
    BELLBIRD_PRIMARY_URL: optional(address, 'On a relay: address of the primary'),
    BELLBIRD_RELAY_NAME: optional(text, 'On a relay: its name in the Admin Panel', 'name of the host'),
  },
  'Test mode': {
    BELLBIRD_TEST: withDefault(flag, false, 'Test mode: allow the seeding of demo data', 'off'),
    BELLBIRD_TEST_CLOCK_SHIFT: withDefault(
      decimal(-MAX_SHIFT_SECONDS, MAX_SHIFT_SECONDS),
      0,
      'Test mode: seconds to add to the clock',
    ),
  },
} satisfies Record<string, Record<string, Setting<unknown>>>;

type Groups = typeof SETTING_GROUPS;
type Intersection<T> = (T extends unknown ? (part: T) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Settings = Intersection<Groups[keyof Groups]>;

export const SETTINGS = Object.assign({}, ...Object.values(SETTING_GROUPS)) as Settings;

type Values = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };

/** The parts of a secret setting to hide. A Redis address without a password stays visible for diagnosis. */
function hiddenIn(name: string, value: string): readonly string[] {
  if (name !== 'BELLBIRD_ENGINE_URL') return [value];
  const { password } = new URL(value);
  return password === '' ? [] : [value, password];
}

const secretsIn = (values: Values): readonly string[] =>
  Object.entries<Setting<unknown>>(SETTINGS).flatMap(([name, setting]) => {
    const value: unknown = values[name as keyof Settings];
    return setting.secret && typeof value === 'string' ? hiddenIn(name, value) : [];
  });

/** A recording brings its own announcements and calendar, because today's belong to another day. */
const sourceOf = <Live extends string>(
  chosen: 'simulator' | 'off' | Live | null,
  live: Live,
  feed: Values['BELLBIRD_FEED'],
) =>
  feed === 'replay' && chosen !== 'off'
    ? ('recording' as const)
    : (chosen ?? (feed === 'simulator' ? ('simulator' as const) : live));

type Chosen = {
  name: string;
  instead: string;
};

const sourcesIn = ({ BELLBIRD_FEED: feed, ...values }: Values, chosen: Chosen | null) => ({
  feed,
  simulator: {
    seed: values.BELLBIRD_SIM_SEED,
    start: values.BELLBIRD_SIM_START,
    speed: values.BELLBIRD_SIM_SPEED,
  },
  tradingview: {
    url: values.BELLBIRD_TRADINGVIEW_URL,
    cookie: values.BELLBIRD_TRADINGVIEW_COOKIE,
    pollSeconds: values.BELLBIRD_POLL_SECONDS,
  },
  ingestKey: values.BELLBIRD_INGEST_KEY,
  replay: {
    file: values.BELLBIRD_REPLAY_FILE,
    speed: values.BELLBIRD_REPLAY_SPEED,
    chosen,
    fromSettings: chosen === null && feed === 'replay',
  },
  news: { source: sourceOf(values.BELLBIRD_NEWS, 'asx', feed), asxUrl: values.BELLBIRD_ASX_URL },
  calendar: {
    source: sourceOf(values.BELLBIRD_CALENDAR, 'fxstreet', feed),
    fxstreetUrl: values.BELLBIRD_FXSTREET_URL,
    forexFactoryUrl: values.BELLBIRD_FOREXFACTORY_URL,
  },
});

const toConfig = (values: Values, chosen: Chosen | null, settings: readonly ShownSetting[]) => ({
  port: values.BELLBIRD_PORT,
  host: values.BELLBIRD_HOST,
  /** As given; relative to the working directory. */
  dataDir: values.BELLBIRD_DATA,
  publicUrl: values.BELLBIRD_PUBLIC_URL,
  trustedProxies: values.BELLBIRD_TRUSTED_PROXIES,
  hsts: values.BELLBIRD_HSTS,
  testMode: values.BELLBIRD_TEST,
  visitorScanner: values.BELLBIRD_VISITOR_SCANNER ?? values.BELLBIRD_TEST,
  shortCalls: values.BELLBIRD_SHORT_CALLS,
  /** Added to the machine's clock, ms. */
  clockShiftMs: values.BELLBIRD_TEST ? values.BELLBIRD_TEST_CLOCK_SHIFT * 1000 : 0,
  ...sourcesIn(values, chosen),
  ai: { url: values.BELLBIRD_AI_URL, key: values.BELLBIRD_AI_KEY, model: values.BELLBIRD_AI_MODEL },
  telegram: { token: values.BELLBIRD_TELEGRAM_TOKEN, url: values.BELLBIRD_TELEGRAM_URL },
  discord: { token: values.BELLBIRD_DISCORD_TOKEN, url: values.BELLBIRD_DISCORD_URL },
  historySessions: values.BELLBIRD_HISTORY_SESSIONS,
  marketClosures: values.BELLBIRD_MARKET_CLOSURES,
  metricsKey: values.BELLBIRD_METRICS_KEY,
  pushServices: values.BELLBIRD_PUSH_SERVICES,
  donateUrl: values.BELLBIRD_DONATE_URL,
  /** A folder, relative to the working directory, or an http(s) address without its trailing slash. */
  releases: values.BELLBIRD_RELEASES,
  backup: backupIn(values),
  jwtSecret: values.BELLBIRD_JWT_SECRET,
  adminTotp: values.BELLBIRD_ADMIN_TOTP,
  supervised: values.BELLBIRD_SUPERVISED,
  trialSeconds: values.BELLBIRD_TRIAL_SECONDS,
  tickMs: values.BELLBIRD_TICK_MS,
  streams: { all: values.BELLBIRD_MAX_STREAMS, perAddress: values.BELLBIRD_MAX_STREAMS_PER_ADDRESS },
  /** Address and secret are both set or both missing. Without them there are no relays. */
  relays: {
    engineUrl: values.BELLBIRD_ENGINE_URL,
    secret: values.BELLBIRD_RELAY_SECRET,
    primaryUrl: values.BELLBIRD_PRIMARY_URL,
    name: values.BELLBIRD_RELAY_NAME,
  },
  secrets: secretsIn(values),
  settings,
});

export type Config = ReturnType<typeof toConfig>;

export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export type LoadedConfig = { config: Config; warnings: string[] };

const butItIs = ({ secret: isSecret }: Setting<unknown>, raw: string): string =>
  isSecret ? '' : `, but it is "${withoutSecrets(raw)}"`;

/**
 * Reads the settings from an environment. An empty value counts as not set.
 * @param env the process environment, or a test's own
 * @param played a recording that replaces the configured source
 * @param openFiles how many files the process may open; limits the streams. Null for no limit
 * @returns the configuration, and warnings (sentences) about unknown or weak settings
 * @throws ConfigError with one sentence per wrong setting, each naming its variable
 */
export function loadConfig(
  env: Record<string, string | undefined>,
  played: { name: string; path: string } | null = null,
  openFiles: number | null = null,
): LoadedConfig {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = [name, setting.also ?? name].find((one) => (env[one] ?? '').trim() !== '');
    const raw = given === undefined ? undefined : env[given];
    if (raw === undefined) {
      values[name] = setting.fallback;
      continue;
    }
    const parsed = asMeant(raw, setting.parse);
    values[name] = parsed.ok ? parsed.value : setting.fallback;
    if (!parsed.ok) problems.push(`${given} ${parsed.error}${butItIs(setting, raw)}.`);
  }
  const read = values as Values;
  const wanted = read.BELLBIRD_MAX_STREAMS;
  read.BELLBIRD_MAX_STREAMS = Math.min(wanted, openFiles === null ? wanted : streamsWithin(openFiles));
  const shown = shownSettings(SETTINGS, env);
  const config =
    played === null
      ? toConfig(read, null, shown)
      : toConfig(
          { ...read, BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: played.path },
          { name: played.name, instead: SOURCE_WORDS[read.BELLBIRD_FEED] },
          shown,
        );
  problems.push(...combinationProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  const unknown = Object.keys(env).filter((name) => /^BELLBIRD_/i.test(name) && !(name in SETTINGS));
  return {
    config,
    warnings: [
      ...unknown.map((name) => unknownNameWarning(name, Object.keys(SETTINGS))),
      ...weaknessWarnings(config),
      ...replayWarnings(config, env),
      ...openFilesWarnings(openFiles, config.streams.all, {
        wanted,
        isChosen: env['BELLBIRD_MAX_STREAMS'] !== undefined,
      }),
    ],
  };
}

const MIN_SECRET = 16;
const MIN_JWT_SECRET = 32;

function unknownNameWarning(name: string, known: readonly string[]): string {
  const nearest = closest(name.toUpperCase(), known);
  const isNear = distance(name.toUpperCase(), nearest) <= (name.length - 'BELLBIRD_'.length) / 2;
  const hint = isNear ? ` Did you mean ${nearest}?` : '';
  return `${name} is not a setting of Bellbird and is ignored.${hint}`;
}

/** A lower default limit needs no warning, because this is enough for most servers. */
const ENOUGH_STREAMS = 1000;

/** @param isChosen whether `wanted` comes from the settings, not from the default */
const openFilesWarnings = (
  limit: number | null,
  streams: number,
  { wanted, isChosen }: { wanted: number; isChosen: boolean },
): string[] =>
  limit === null || streams >= (isChosen ? wanted : Math.min(wanted, ENOUGH_STREAMS))
    ? []
    : [
        `The system allows ${limit} open files, so Bellbird serves at most ${streams} live streams instead of ${wanted} (BELLBIRD_MAX_STREAMS). To raise the limit, set LimitNOFILE in the systemd unit, or ulimit -n.`,
      ];

function weaknessWarnings(config: Config): string[] {
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
      'BELLBIRD_TRUSTED_PROXIES contains every address, so every client can claim any address. List only your proxies.',
    );
  }
  if (config.news.source === 'simulator' && config.feed !== 'simulator') {
    warnings.push(
      'No announcements will appear, because BELLBIRD_NEWS=simulator works only with BELLBIRD_FEED=simulator.',
    );
  }
  return warnings;
}

/** A replay uses only the announcements and the calendar in its recording. */
const replayWarnings = (config: Config, env: Record<string, string | undefined>): string[] =>
  (['BELLBIRD_NEWS', 'BELLBIRD_CALENDAR'] as const).flatMap((name) => {
    const value = env[name]?.trim() || 'off';
    return config.feed !== 'replay' || value === 'off'
      ? []
      : [`${name}=${value} is ignored, because a replay uses its recording. Only off has an effect.`];
  });

function backupProblems({ place, lock, withSettings, isKeptLocally }: Config['backup']): string[] {
  const problems: string[] = [];
  if (place === null && !isKeptLocally) {
    problems.push(
      'BELLBIRD_BACKUP_TARGET must be set when BELLBIRD_BACKUP_LOCAL is no. Otherwise no backup is kept.',
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
    problems.push('BELLBIRD_BACKUP_USER must not contain a colon when the backup target is a WebDAV folder.');
  }
  if (lock === null && place !== null && place.kind !== 'folder') {
    problems.push(
      'BELLBIRD_BACKUP_PASSPHRASE or BELLBIRD_BACKUP_RECIPIENT must be set when backups leave this machine, because they must be encrypted.',
    );
  }
  if (lock === null && place !== null && withSettings) {
    problems.push(
      'BELLBIRD_BACKUP_PASSPHRASE or BELLBIRD_BACKUP_RECIPIENT must be set when settings go to the backup target, because they contain secrets.',
    );
  }
  return problems;
}

function combinationProblems(config: Config): string[] {
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
