import { join } from 'node:path';
import { docsLines } from '../docsLines.ts';
import { type Bench, forThis, Installation, PASSWORD } from '../installation.ts';
import { tool } from '../machine.ts';

/** Tests moving to another machine as the docs say, with a copy as by rsync or scp; all sessions must stay valid. */
export async function move(bench: Bench): Promise<string> {
  const old = await Installation.create(bench, 'old');
  const fresh = await Installation.create(bench, 'new');
  try {
    await old.serves();
    const token = await old.becomeAdministrator();
    await old.watch(token, 'BHP');
    const lines = docsLines('Move to another machine').split('\n');
    const [stopNew, stopOld, start] = [lines.at(0), lines.at(1), lines.at(-1)];
    if (stopNew === undefined || stopOld === undefined || start === undefined)
      throw new Error('The guide has too few lines.');
    await fresh.machine.run(`${stopNew}\nrm -rf /var/lib/bellbird/*`);
    await old.machine.run(stopOld);
    for (const what of ['var/lib/bellbird', 'etc/bellbird']) {
      tool(['cp', '-a', `${join(old.machine.root, what)}/.`, join(fresh.machine.root, what)]);
    }
    // Both machines use this machine's network, and the old server has released its port.
    await fresh.machine.run(start);
    await old.serves();
    const items = await old.watched(token);
    if (items.length !== 1) throw new Error('The watchlist was not copied.');
    return 'data and settings were copied, and the earlier session is still valid';
  } finally {
    await old.machine.remove();
    await fresh.machine.remove();
  }
}

const OTHER = 'another good one';

/** Tests a backup, restoring it on the same and on another machine, and a lost password of the only administrator. */
export async function restore(bench: Bench): Promise<string> {
  const first = await Installation.create(bench, 'restore');
  const second = await Installation.create(bench, 'restored');
  try {
    await first.serves();
    const token = await first.becomeAdministrator();
    await first.watch(token, 'BHP');
    const { out } = await first.machine.run(docsLines('Back up', '/bellbird backup'));
    const path = /(\/\S+\.db)\b/.exec(out)?.[1];
    if (path === undefined) throw new Error(`The path of the backup was not printed: ${out}`);
    await first.watch(token, 'CBA');
    const lines = docsLines('Restore', '/bellbird restore');
    await first.machine.run(`cp ${path} NAME.db\n${lines}`);
    await first.serves();
    const symbols = async (at: Installation): Promise<string> => {
      const session = await at.login('boss');
      const items = await at.watched(session);
      return items.map(({ symbol }) => symbol).join();
    };
    if ((await symbols(first)) !== 'BHP') throw new Error(`The restored list is ${await symbols(first)}.`);

    second.machine.put(`${first.machine.root}${path}`, '/root/NAME.db');
    await second.machine.run(lines);
    await second.serves();
    if ((await symbols(second)) !== 'BHP')
      throw new Error(`On another machine the list is ${await symbols(second)}.`);

    const bellbird = 'sudo -u bellbird env BELLBIRD_DATA=/var/lib/bellbird /opt/bellbird/bellbird';
    await second.machine.run(forThis(`${bellbird} user password boss`), { stdin: `${OTHER}\n` });
    await second.login('boss', OTHER);
    const isOld = await second.login('boss', PASSWORD).then(
      () => true,
      () => false,
    );
    if (isOld) throw new Error('The lost password still opens the account.');
    return `${path} was made, verified and restored there and on a new machine; a lost password was replaced by the documented line`;
  } finally {
    await first.machine.remove();
    await second.machine.remove();
  }
}
