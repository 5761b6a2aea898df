import { type Bench, forThis, Installation, PASSWORD } from '../installation.ts';
import { docsLines } from '../docsLines.ts';

const OTHER = 'another good one';

/** A backup by its line, the restore on the same and on another machine, and the lost password of the only administrator. */
export async function restore(bench: Bench): Promise<string> {
  const first = await Installation.create(bench, 'restore');
  const second = await Installation.create(bench, 'restored', false);
  try {
    await first.serves();
    const token = await first.becomeAdministrator();
    await first.watch(token, 'BHP');
    const { out } = await first.machine.run(docsLines('Back up', '/bellbird backup'));
    const path = /(\/\S+\.db)\b/.exec(out)?.[1];
    if (path === undefined) throw new Error(`Where the backup is, is not said: ${out}`);
    await first.watch(token, 'CBA');
    await first.machine.run(
      docsLines('Restore', '/bellbird restore /var/lib/bellbird/backups/').replace(
        '/var/lib/bellbird/backups/NAME.db',
        path,
      ),
    );
    await first.serves();
    const symbols = async (at: Installation): Promise<string> => {
      const session = await at.login('boss');
      const items = await at.watched(session);
      return items.map(({ symbol }) => symbol).join();
    };
    if ((await symbols(first)) !== 'BHP') throw new Error(`Restored is ${await symbols(first)}.`);

    second.machine.put(`${first.machine.root}${path}`, '/root/NAME.db');
    await second.machine.run(docsLines('Restore', '/bellbird restore /var/lib/bellbird/NAME.db'));
    await second.machine.run('systemctl daemon-reload && systemctl enable --now bellbird');
    await second.serves();
    if ((await symbols(second)) !== 'BHP')
      throw new Error(`On another machine it is ${await symbols(second)}.`);

    const bellbird = 'sudo -u bellbird env BELLBIRD_DATA=/var/lib/bellbird /opt/bellbird/bellbird';
    await second.machine.run(forThis(`${bellbird} user password boss`), { stdin: `${OTHER}\n` });
    await second.login('boss', OTHER);
    const isOld = await second.login('boss', PASSWORD).then(
      () => true,
      () => false,
    );
    if (isOld) throw new Error('The lost password still opens the account.');
    return `${path} was made, read again and restored there and on a new machine; a lost password is set anew by its line`;
  } finally {
    await first.machine.remove();
    await second.machine.remove();
  }
}
