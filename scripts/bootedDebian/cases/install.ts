import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDeb, debName, PACKAGES } from '#scripts/release/deb.ts';
import { freePort } from '#support/executable.ts';
import { type Bench, Installation, until } from '../installation.ts';
import { Machine } from '../machine.ts';

/** Tests the docs line by line, the set-up link, the panel's restart, and a reboot. */
export async function install(bench: Bench): Promise<string> {
  const installed = await Installation.create(bench, 'install');
  const { machine } = installed;
  try {
    const firstMs = await installed.serves();
    const token = await installed.becomeAdministrator();
    const before = (await installed.health())?.pid;
    await installed.call(token, 'POST', '/admin/server/restart', {});
    const restartMs = await until('Another process', 30_000, async () => {
      const health = await installed.health();
      return health !== null && health.pid !== before;
    });
    await installed.call(token, 'GET', '/settings');
    const { out: rights } = await machine.run('systemd-analyze security bellbird --no-pager | tail -1');
    await machine.reboot();
    const bootMs = await installed.serves();
    await installed.call(token, 'GET', '/settings');
    const { out: failed } = await machine.run('systemctl --failed --no-legend');
    if (failed.trim() !== '') throw new Error(`Failed units: ${failed}`);
    return (
      `serves ${Math.round(firstMs)} ms after it was started, ${Math.round(restartMs)} ms after Restart in the panel, ` +
      `${Math.round(bootMs)} ms after a boot; sessions stay. ${rights.replace(/\s+/g, ' ').trim()}`
    );
  } finally {
    await machine.remove();
  }
}

const VERSIONS = ['0.9.0', '0.9.1'] as const;
const DATA = '/var/lib/bellbird';

function putPackages({ folder, released }: Bench, machine: Machine): void {
  const made = join(folder, 'packages');
  mkdirSync(made, { recursive: true });
  copyFileSync(released, join(made, PACKAGES.amd64));
  const root = dirname(dirname(dirname(import.meta.dir)));
  const about = { commit: 'tried', at: new Date(0), isSigned: false };
  for (const version of VERSIONS) {
    const name = buildDeb(root, made, 'amd64', { ...about, version });
    machine.put(join(made, name), `/root/${name}`);
  }
}

function expectOutput(output: string, words: string): void {
  if (!output.includes(words)) throw new Error(`"${words}" was not printed: ${output}`);
}

const add = (machine: Machine, version: string) =>
  machine.run(`DEBIAN_FRONTEND=noninteractive dpkg -i /root/${debName(version, 'amd64')}`);

/** Installs, registers with the printed link, upgrades and boots; settings and account must stay. */
async function takeIntoUse(installed: Installation): Promise<number> {
  const { machine } = installed;
  const began = performance.now();
  expectOutput((await add(machine, VERSIONS[0])).out, '/#/register?setup=');
  const took = performance.now() - began;
  await installed.becomeAdministrator();
  const before = (await installed.health())?.pid;
  await machine.run('echo BELLBIRD_METRICS_KEY=kept-over-an-upgrade >> /etc/bellbird/env');
  await add(machine, VERSIONS[1]);
  await until('The new version', 30_000, async () => {
    const health = await installed.health();
    return health !== null && health.pid !== before;
  });
  await machine.run(
    'grep -q kept-over-an-upgrade /etc/bellbird/env && test "$(stat -c %a /etc/bellbird/env)" = 600',
  );
  await machine.reboot();
  await installed.serves();
  await installed.login('boss');
  return took;
}

/** Removes and purges the package; data may be deleted only after the answer yes. */
async function partWithIt(installed: Installation): Promise<void> {
  const { machine } = installed;
  const database = join(machine.root, DATA, 'bellbird.db');
  const kept = (what: string): void => {
    if (!existsSync(database)) throw new Error(`${what} deleted the data.`);
  };
  expectOutput((await machine.run('dpkg -r bellbird')).out, `stay in ${DATA}`);
  kept('A removal');
  if ((await installed.health()) !== null) throw new Error('It serves after its removal.');
  await add(machine, VERSIONS[1]);
  await installed.serves();
  await installed.login('boss');
  const quiet = await machine.run('DEBIAN_FRONTEND=noninteractive dpkg -P bellbird');
  expectOutput(quiet.out, `stay in ${DATA}`);
  kept('A purge without a question');
  await add(machine, VERSIONS[1]);
  const purge = (answer: string) =>
    machine.run(`script -qec 'DEBIAN_FRONTEND=readline dpkg -P bellbird' /dev/null`, {
      stdin: `${answer}\n`,
    });
  expectOutput((await purge('no')).out, 'Delete the data of Bellbird?');
  kept('A purge that was answered with no');
  await add(machine, VERSIONS[1]);
  await purge('yes');
  await machine.run(`test ! -e ${DATA} && test ! -e /etc/bellbird/env && ! getent passwd bellbird`);
}

/** Tests the Debian package: the link that it prints, an upgrade, a boot, a removal, and a purge with each answer. */
export async function packaged(bench: Bench): Promise<string> {
  const machine = Machine.create(bench.base, bench.folder, 'packaged');
  try {
    putPackages(bench, machine);
    const port = await freePort();
    machine.write(
      '/etc/systemd/system/bellbird.service.d/port.conf',
      `[Service]\nEnvironment=BELLBIRD_PORT=${port}\n`,
    );
    await machine.boot();
    const installed = Installation.at(machine, port);
    const took = await takeIntoUse(installed);
    await partWithIt(installed);
    return `the link came ${Math.round(took / 1000)} s after dpkg began; settings and accounts stay over an upgrade, a boot and a removal; a purge asks.`;
  } finally {
    await machine.remove();
  }
}
