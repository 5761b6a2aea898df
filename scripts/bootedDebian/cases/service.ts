import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#support/executable.ts';
import { type Bench, Installation } from '../installation.ts';
import { Machine } from '../machine.ts';

const INSTALL = '/root/bellbird service install';

function expectOutput(output: string, words: string): void {
  if (!output.includes(words)) throw new Error(`"${words}" was not printed: ${output}`);
}

/** Tests `service install` by a user without rights, by root, again, across a boot, and `service uninstall`. */
async function tryAll(installed: Installation): Promise<number> {
  const { machine } = installed;
  await machine.run('install -m 755 /root/bellbird /usr/local/bin/tried');
  const refused = await machine.run(
    'setpriv --reuid=65534 --clear-groups /usr/local/bin/tried service install',
    {
      mayFail: true,
    },
  );
  expectOutput(refused.out, 'needs root');
  if (refused.code !== 1) throw new Error(`Without rights it ended with ${refused.code}.`);
  const began = performance.now();
  expectOutput((await machine.run(INSTALL)).out, '/#/register?setup=');
  const took = performance.now() - began;
  await installed.becomeAdministrator();
  const pid = (await installed.health())?.pid;
  await machine.run('echo BELLBIRD_METRICS_KEY=kept-when-run-again >> /etc/bellbird/env');
  expectOutput((await machine.run(INSTALL)).out, 'already installed and running');
  if ((await installed.health())?.pid !== pid) throw new Error('Installing it again restarted it.');
  await machine.run(
    'grep -q kept-when-run-again /etc/bellbird/env && test "$(stat -c %a /etc/bellbird/env)" = 600',
  );
  await machine.reboot();
  await installed.serves();
  await installed.login('boss');
  expectOutput((await machine.run('/root/bellbird service uninstall')).out, 'Data stay in /var/lib/bellbird');
  if ((await installed.health()) !== null) throw new Error('It serves after its removal.');
  if (!existsSync(join(machine.root, 'var/lib/bellbird/bellbird.db'))) throw new Error('The data are gone.');
  await machine.run(INSTALL);
  await installed.serves();
  await installed.login('boss');
  return took;
}

export async function service(bench: Bench): Promise<string> {
  const machine = Machine.create(bench.base, bench.folder, 'service');
  try {
    machine.put(bench.released, '/root/bellbird');
    const port = await freePort();
    machine.write(
      '/etc/systemd/system/bellbird.service.d/port.conf',
      `[Service]\nEnvironment=BELLBIRD_PORT=${port}\n`,
    );
    await machine.boot();
    const took = await tryAll(Installation.at(machine, port));
    return `the link came after ${Math.round(took / 100) / 10} s; installing again changes nothing, a boot starts it, uninstalling keeps the data.`;
  } finally {
    await machine.remove();
  }
}
