import { type Config, ConfigError, loadConfig } from '../config/config.ts';
import { startConsoleLogging } from '../lib/logging.ts';
import { openFileLimit } from '../lib/files.ts';
import { createRedactor } from '../lib/redact.ts';
import { type RelaySettings, startRelay } from '../relays/relay/server.ts';
import { type RunDeps, STOP_WITHIN_MS, untilStopped } from './io.ts';

function relaySettings({ host, port, hsts, trustedProxies, relays }: Config): RelaySettings {
  const { engineUrl, secret, primaryUrl, name } = relays;
  const needed = {
    BELLBIRD_ENGINE_URL: engineUrl,
    BELLBIRD_RELAY_SECRET: secret,
    BELLBIRD_PRIMARY_URL: primaryUrl,
  };
  const missing = Object.entries(needed).filter(([, value]) => value === null);
  if (engineUrl === null || secret === null || primaryUrl === null) {
    throw new ConfigError(missing.map(([setting]) => `${setting} must be set on a relay.`));
  }
  return { host, port, hsts, trustedProxies, engineUrl, secret, primaryUrl, name };
}

/** Reports all problems together: of the settings themselves, and of those that a relay needs. */
function readSettings(env: Record<string, string | undefined>) {
  const { config, warnings } = loadConfig(env, null, openFileLimit());
  return { settings: relaySettings(config), warnings, secrets: config.secrets };
}

/**
 * `relay`: serves pages instead of the primary until it is asked to stop. It stores nothing on disk.
 * @throws ConfigError or StartError if it can't start
 */
export async function relay({ io, signals, openAssets }: RunDeps): Promise<number> {
  const { settings, warnings, secrets } = readSettings(io.env);
  const { log, close } = startConsoleLogging({ redactor: createRedactor(secrets) });
  const { ended } = untilStopped(log, signals);
  try {
    for (const warning of warnings) log.warn(warning);
    const { wall: clock, about, out: announce } = io;
    const { version, commit } = about;
    log.info('Starting as a relay', { version, commit, primary: settings.primaryUrl });
    const running = await startRelay(settings, { clock, log, about, announce, assets: await openAssets() });
    const code = await ended;
    const late = Bun.sleep(STOP_WITHIN_MS).then(() => 'late' as const);
    if ((await Promise.race([running.stop(), late])) === 'late') log.warn('The relay did not stop in time');
    log.info('Stopped');
    return code;
  } finally {
    close();
  }
}
