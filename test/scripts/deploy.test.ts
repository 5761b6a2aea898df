import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../src/cli/io.ts';
import { loadConfig, SETTINGS } from '../../src/config.ts';

const deployed = (name: string): string =>
  readFileSync(join(import.meta.dir, '..', '..', 'deploy', name), 'utf8');

/** What the image and the file itself set: another value would only break the container. */
const FIXED = ['PORT', 'HOST', 'DATA', 'SUPERVISED', 'PUBLIC_URL', 'TRUSTED_PROXIES'].map(
  (name) => `BELLBIRD_${name}`,
);

test('the compose file passes every setting on', () => {
  const { services } = Bun.YAML.parse(deployed('docker/compose.yaml')) as {
    services: { bellbird: { environment: Record<string, string> } };
  };
  const { environment } = services.bellbird;
  const passed = Object.keys(environment).filter((name) => !FIXED.includes(name));
  expect(passed.sort()).toEqual(
    Object.keys(SETTINGS)
      .filter((name) => !FIXED.includes(name))
      .sort(),
  );
  for (const name of passed) expect(environment[name]).toBe(`\${${name}:-}`);
  const empty = Object.fromEntries(passed.map((name) => [name, '']));
  expect(loadConfig(empty)).toEqual(loadConfig({}));
});

test('the image runs a health check that needs no shell', () => {
  expect(deployed('docker/Dockerfile')).toMatch(/^HEALTHCHECK .*CMD \["\/bellbird", "health"\]$/m);
});

test('systemd does not start anew what wrong settings ended, and takes a restart for no failure', () => {
  const unit = deployed('systemd/bellbird.service');
  const codes = (name: string): number[] =>
    (new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '').split(' ').map(Number);
  expect(unit).toMatch(/^Restart=always$/m);
  expect(codes('RestartPreventExitStatus')).toEqual([EXIT.usage, EXIT.settings]);
  expect(codes('SuccessExitStatus')).toEqual([EXIT.restart]);
  expect(new Set(Object.values(EXIT)).size).toBe(Object.values(EXIT).length);
});

test('a relay is a service that keeps nothing on the disk', () => {
  const unit = deployed('systemd/relay.conf');
  expect(unit).toMatch(/^ExecStart=\nExecStart=\/opt\/bellbird\/bellbird relay$/m);
  expect(unit).toMatch(/^StateDirectory=$/m);
  expect(unit).toMatch(/^UnsetEnvironment=BELLBIRD_DATA$/m);
});

type Service = {
  command?: string[];
  environment?: Record<string, string>;
  networks: string[];
  ports?: string[];
  build?: unknown;
};

describe('primary, engine and relays', () => {
  const { services } = Bun.YAML.parse(deployed('relays/compose.yaml')) as {
    services: Record<string, Service>;
  };
  const relays = Object.entries(services).filter(([name]) => name.startsWith('relay-'));
  const settingsOf = ({ environment = {} }: Service) => Object.keys(environment);

  test('only names settings that there are', () => {
    for (const service of Object.values(services)) {
      const own = settingsOf(service).filter((name) => name.startsWith('BELLBIRD_'));
      expect(own.filter((name) => !(name in SETTINGS))).toEqual([]);
    }
  });

  test('relays are three, and have what they need and nothing of the primary', () => {
    expect(relays).toHaveLength(3);
    for (const [name, relay] of relays) {
      expect(relay.command).toEqual(['relay']);
      expect(settingsOf(relay).sort()).toEqual([
        ...['BELLBIRD_ENGINE_URL', 'BELLBIRD_PRIMARY_URL', 'BELLBIRD_RELAY_NAME', 'BELLBIRD_RELAY_SECRET'],
        'BELLBIRD_TRUSTED_PROXIES',
      ]);
      expect(relay.environment?.['BELLBIRD_RELAY_NAME']).toBe(name);
      for (const shared of ['BELLBIRD_ENGINE_URL', 'BELLBIRD_RELAY_SECRET']) {
        expect(relay.environment?.[shared]).toBe(services['primary']?.environment?.[shared] ?? '');
      }
    }
  });

  test('only Caddy is reached from outside, knows every relay, and reaches neither engine nor primary', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['caddy']);
    const addresses = relays.map(([name]) => `${name}:3000`).join(' ');
    expect(services['caddy']?.environment?.['RELAYS']).toBe(addresses);
    expect(services['caddy']?.networks).toEqual(['front']);
    expect(services['engine']?.networks).toEqual(['behind']);
    expect(services['primary']?.networks).toEqual(['behind']);
  });

  test('the engine asks for a password, which no list of processes shows, and throws nothing away', () => {
    const [script = ''] = services['engine']?.command ?? [];
    expect(script).toContain('redis-server - <<SETTINGS');
    expect(script).toMatch(/^requirepass \$\$ENGINE_PASSWORD$/m);
    expect(script).toMatch(/^maxmemory-policy noeviction$/m);
  });

  test('Caddy passes streams on at once, and to relays alone that are well; all else to any relay', () => {
    const caddyfile = deployed('relays/Caddyfile');
    expect(caddyfile).toContain('@streams path /api/data/stream /api/user/alerts/stream\n');
    expect(caddyfile.match(/reverse_proxy/g)).toHaveLength(2);
    expect(caddyfile.match(/health_uri .*/g)).toEqual(['health_uri /healthz', 'health_uri /']);
    for (const line of ['flush_interval -1', 'health_uri /healthz', 'lb_policy least_conn']) {
      expect(caddyfile).toContain(`\t\t${line}\n`);
    }
  });
});
