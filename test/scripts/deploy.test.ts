import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFile } from '#src/config/backup.ts';
import { EXIT } from '#src/cli/io.ts';
import { loadConfig, SETTINGS } from '#src/config/config.ts';
import { guides, root } from '../support/guides.ts';

/** Parses a settings file like `EnvironmentFile=` of systemd (`parse_env_file` of systemd 252), see systemd.exec(5). */
function systemdSettings(file: string): Record<string, string> {
  const settings: Record<string, string> = {};
  const lines = file.replaceAll(/\\\n/g, '').split('\n');
  for (const line of lines) {
    const [, name, given] = /^\s*([^#;\s=][^=]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || given === undefined) continue;
    let value = '';
    // Quotes count only before the first character of a bare value. What follows, even a comment, is part of the value.
    let rest = given.trimStart();
    for (let quote = rest[0]; quote === '"' || quote === "'"; quote = rest[0]) {
      const quoted = (quote === '"' ? /^"((?:\\.|[^"\\])*)"/ : /^'([^']*)'/).exec(rest);
      if (quoted === null) throw new Error(`A quote is not closed: ${line}`);
      value += quote === '"' ? (quoted[1] ?? '').replaceAll(/\\(["\\`$])/g, '$1') : quoted[1];
      rest = rest.slice(quoted[0].length).trimStart();
    }
    settings[name.trim()] = value + rest.trimEnd().replaceAll(/\\(.)/g, '$1');
  }
  return settings;
}

const deployed = (name: string): string =>
  readFileSync(join(import.meta.dir, '..', '..', 'deploy', name), 'utf8');

/** Set by the image and the file itself: another value would only break the container. */
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

test('systemd does not restart after invalid settings, and treats a requested restart as success', () => {
  const unit = deployed('systemd/bellbird.service');
  const codes = (name: string): number[] =>
    (new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '').split(' ').map(Number);
  expect(unit).toMatch(/^Restart=always$/m);
  expect(codes('RestartPreventExitStatus')).toEqual([EXIT.usage, EXIT.settings]);
  expect(codes('SuccessExitStatus')).toEqual([EXIT.restart]);
  expect(new Set(Object.values(EXIT)).size).toBe(Object.values(EXIT).length);
});

type Service = {
  command?: string[];
  environment?: Record<string, string>;
  networks: string[];
  ports?: string[];
  build?: unknown;
};

describe('primary, Redis and relays', () => {
  const { services } = Bun.YAML.parse(deployed('relays/compose.yaml')) as {
    services: Record<string, Service>;
  };
  const relays = Object.entries(services).filter(([name]) => name.startsWith('relay-'));

  test('only Caddy is reachable from outside, lists every relay, and reaches neither Redis nor the primary', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['caddy']);
    const addresses = relays.map(([name]) => `${name}:3000`).join(' ');
    expect(services['caddy']?.environment?.['RELAYS']).toBe(addresses);
    expect(services['caddy']?.networks).toEqual(['front']);
    expect(services['engine']?.networks).toEqual(['behind']);
    expect(services['primary']?.networks).toEqual(['behind']);
  });

  test('Redis requires a password that no process list shows, and evicts nothing', () => {
    const [script = ''] = services['engine']?.command ?? [];
    expect(script).toContain('redis-server - <<SETTINGS');
    expect(script).toMatch(/^requirepass \$\$ENGINE_PASSWORD$/m);
    expect(script).toMatch(/^maxmemory-policy noeviction$/m);
  });
});

const isComment = (line: string): boolean => line === '' || line.startsWith('#');
const isSettings = (block: string): boolean => {
  const lines = block.split('\n').filter((line) => !isComment(line));
  return lines.length > 0 && lines.every((line) => /^[A-Z_\d]+=/.test(line) && !/ \.\/bellbird/.test(line));
};

/** The fenced and indented code blocks of a page, without their indent. */
const blocksOf = (page: string): string[] => [
  ...[...page.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => block),
  ...[...page.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, '')),
];

const blocks = guides.flatMap(({ page, text }) =>
  blocksOf(text)
    .filter(isSettings)
    .map((block) => ({ page, block })),
);
const example = await Bun.file(join(root, 'deploy/systemd/env.example')).text();

for (const { page, block } of [
  ...blocks,
  { page: 'env.example', block: example.replaceAll(/^#(?=B)/gm, '') },
]) {
  test(`${page}: systemd reads the settings that begin with ${block.split('\n')[0]} as intended`, () => {
    const settings = systemdSettings(block);
    expect(Object.keys(settings).length).toBeGreaterThan(0);
    expect(loadConfig(settings).warnings).toEqual([]);
  });
}

test('the copy of the settings in a backup parses to the original values', () => {
  const settings = {
    BELLBIRD_BACKUP_PASSPHRASE: `it's \\ "5$" \`x\``,
    BELLBIRD_DATA: '/data',
    BELLBIRD_FEED: 'ingest',
  };
  expect(systemdSettings(settingsFile({ ...settings, HOME: '/root' }))).toEqual(settings);
});
