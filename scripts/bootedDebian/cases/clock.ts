import { existsSync } from 'node:fs';
import { type Bench, Installation } from '../installation.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const UNIT = '/etc/systemd/system/bellbird.service.d/clock.conf';

/** A start with the clock a day behind, as on a Pi without a battery, and one with the right time again. */
export async function clock(bench: Bench): Promise<string> {
  if (!existsSync(LIBRARY)) return 'not tried: Debian’s package libfaketime is missing';
  const installed = await Installation.create(bench, 'clock');
  const { machine } = installed;
  const restart = async (): Promise<void> => {
    await machine.run('systemctl daemon-reload && systemctl restart bellbird');
    await installed.serves();
  };
  try {
    await installed.serves();
    const token = await installed.becomeAdministrator();
    await installed.watch(token, 'BHP');
    machine.put(LIBRARY, '/usr/lib/libfaketime.so.1');
    machine.write(UNIT, '[Service]\nEnvironment=LD_PRELOAD=/usr/lib/libfaketime.so.1 FAKETIME=-1d TZ=UTC\n');
    await restart();
    const asked = new Date((await fetch(`${installed.url}/healthz`)).headers.get('date') ?? '');
    const late = await installed.login('boss');
    const early = await installed.call(token, 'GET', '/settings').then(
      () => 'still good',
      (error: unknown) => `refused (${String(error).slice(0, 90)})`,
    );
    await installed.watch(late, 'CBA');
    await machine.run(`rm ${UNIT}`);
    await restart();
    const items = await installed.watched(await installed.login('boss'));
    if (items.length !== 2) throw new Error(`The watchlist has ${items.length} symbols, not 2.`);
    const { out } = await machine.run('journalctl -u bellbird -o cat -p err --no-pager | tail -5');
    return `a day behind (${asked.toISOString().slice(0, 10)}): it serves, logs in and keeps; the session of before is ${early}. Set right again: all is there. Errors: ${out.trim() || 'none'}`;
  } finally {
    await machine.remove();
  }
}
