import { expect, test } from 'bun:test';
import { createJobRunner } from '../../../src/platform/install/shared/jobProcess.ts';

/** A process that tells its job and its environment, as the last of its lines. */
const TELLS = `
console.log(JSON.stringify({ progress: 0.5 }));
console.log(JSON.stringify({ ok: true, job: JSON.parse(await Bun.stdin.text()), names: Object.keys(process.env) }));`;

test('a job gets whose certificates are trusted, its own words, and nothing else of the environment', async () => {
  const env = { NODE_EXTRA_CA_CERTS: '/nas.pem', SSL_CERT_FILE: '', BELLBIRD_BACKUP_PASSWORD: 'planted' };
  const run = createJobRunner('list-target', env, () => [process.execPath, '-e', TELLS]);
  const shares: number[] = [];
  const report = await run({ place: 'here' }, (share) => shares.push(share)).finished;
  expect(report).toMatchObject({ ok: true, job: { place: 'here' } });
  expect(shares).toEqual([0.5]);
  const names = JSON.stringify(report);
  expect(names).toContain('NODE_EXTRA_CA_CERTS');
  expect(names).not.toMatch(/SSL_CERT_FILE|BELLBIRD|HOME/);
});
