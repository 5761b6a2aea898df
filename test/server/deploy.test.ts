import { expect, test } from 'bun:test';
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

test('systemd does not start anew what wrong settings ended, and takes a restart for no failure', () => {
  const unit = deployed('systemd/bellbird.service');
  const codes = (name: string): number[] =>
    (new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '').split(' ').map(Number);
  expect(unit).toMatch(/^Restart=always$/m);
  expect(codes('RestartPreventExitStatus')).toEqual([EXIT.usage, EXIT.settings]);
  expect(codes('SuccessExitStatus')).toEqual([EXIT.restart]);
  expect(new Set(Object.values(EXIT)).size).toBe(Object.values(EXIT).length);
});
