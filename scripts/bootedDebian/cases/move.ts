import { join } from 'node:path';
import { type Bench, Installation } from '../installation.ts';
import { docsLines } from '../docsLines.ts';
import { tool } from '../machine.ts';

/** Moves to another machine by the docs, with a copy as by rsync or scp; all sessions stay valid. */
export async function move(bench: Bench): Promise<string> {
  const old = await Installation.create(bench, 'old');
  const fresh = await Installation.create(bench, 'new', false);
  try {
    await old.serves();
    const token = await old.becomeAdministrator();
    await old.watch(token, 'BHP');
    const lines = docsLines('Move to another machine').split('\n');
    const [stop, start] = [lines.at(0), lines.at(-1)];
    if (stop === undefined || start === undefined) throw new Error('The docs tell no lines.');
    await old.machine.run(stop);
    await fresh.machine.run('mkdir -p /var/lib/bellbird');
    for (const what of ['var/lib/bellbird', 'etc/bellbird']) {
      tool(['cp', '-a', `${join(old.machine.root, what)}/.`, join(fresh.machine.root, what)]);
    }
    // Both use the network of this machine, so the old one's port is free now.
    await fresh.machine.run(start);
    await old.serves();
    const items = await old.watched(token);
    if (items.length !== 1) throw new Error('The watchlist did not come along.');
    return 'the data and the settings came along, and the session of before is still good';
  } finally {
    await old.machine.remove();
    await fresh.machine.remove();
  }
}
