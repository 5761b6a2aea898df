import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ServiceHost } from '../platform/install/service/host.ts';
import { installService, uninstallService } from '../platform/install/service/installService.ts';
import { EXIT, type Io, UsageError } from './io.ts';

function thisHost({ program, about, out }: Io): ServiceHost {
  return {
    root: '',
    executable: program.executable,
    version: about.version,
    isStandalone: program.isStandalone,
    uid: userInfo().uid,
    run: (command) => {
      if (Bun.which(command[0] ?? '') === null) return { code: 127, out: `${command[0]} is not installed.` };
      const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdin: 'ignore' });
      return { code: exitCode, out: stdout.toString() + stderr.toString() };
    },
    exists: existsSync,
    pause: (ms) => Bun.sleep(ms),
    print: out,
  };
}

/**
 * `service install` and `service uninstall`: manages the systemd service.
 * @param args the arguments after `service`
 * @throws UsageError or StartError with a sentence to print
 */
export async function service(io: Io, args: readonly string[]): Promise<number> {
  const mayBeOlder = args.includes('--older');
  const [action, more] = args.filter((arg) => arg !== '--older');
  if (action !== 'install' && action !== 'uninstall') {
    throw new UsageError('Use "service install" or "service uninstall".');
  }
  if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
  if (mayBeOlder && action !== 'install') throw new UsageError('--older is only for "service install".');
  const host = thisHost(io);
  if (action === 'install') await installService(host, { now: io.wall.now(), mayBeOlder });
  else uninstallService(host);
  return EXIT.ok;
}
