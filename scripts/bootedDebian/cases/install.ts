import { type Bench, Installation, until } from '../installation.ts';

/** The docs line by line, the set-up link, the panel's restart, and a reboot. */
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
