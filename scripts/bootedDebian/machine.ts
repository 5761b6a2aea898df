import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Packages beyond a minimal Debian that the docs and these tests use. */
const PACKAGES = 'systemd,systemd-sysv,dbus,ca-certificates,curl,git,sudo,procps';
const BOOTS_WITHIN_MS = 60_000;

export type Ran = { code: number; out: string };

export function tool(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString().slice(-2000)}`);
  return stdout.toString();
}

function release(): string {
  const about = readFileSync('/etc/os-release', 'utf8');
  const name = /^VERSION_CODENAME=(\w+)$/m.exec(about)?.[1];
  return /^ID=debian$/m.test(about) && name !== undefined ? name : 'stable';
}

export function debianRoot(folder: string): string {
  if (existsSync(join(folder, 'etc', 'debian_version'))) return folder;
  console.log(`Making a Debian in ${folder}, which takes some minutes`);
  rmSync(folder, { recursive: true, force: true });
  tool(['mmdebstrap', '--variant=minbase', `--include=${PACKAGES}`, release(), folder]);
  return folder;
}

/** The first process in the container of an nspawn process; null if there is none. */
function firstIn(nspawn: number): number | null {
  const children = Bun.spawnSync(['pgrep', '-P', String(nspawn)])
    .stdout.toString()
    .split('\n');
  const first = Number(children[0]);
  return first > 0 ? first : null;
}

/**
 * A Debian booted with systemd, in a container of systemd-nspawn with this machine's network. Its disk is a folder, so
 * unsynced data survives a power cut, unlike on real hardware.
 */
export class Machine {
  private nspawn: Bun.Subprocess | null = null;

  private constructor(
    readonly root: string,
    private readonly name: string,
  ) {}

  /** @param base a root made by `debianRoot` @param folder in which the copy is created */
  static create(base: string, folder: string, name: string): Machine {
    const root = join(folder, name);
    tool(['cp', '-a', '--reflink=auto', base, root]);
    writeFileSync(join(root, 'etc', 'hostname'), `${name}\n`);
    writeFileSync(join(root, 'etc', 'hosts'), `127.0.0.1 localhost ${name}\n`);
    return new Machine(root, name);
  }

  async boot(): Promise<void> {
    const log = Bun.file(`${this.root}.log`);
    this.nspawn = Bun.spawn(
      ['systemd-nspawn', '-q', '-D', this.root, '--register=no', '--keep-unit', '--console=pipe', '-b'],
      { stdin: 'ignore', stdout: log, stderr: log },
    );
    const until = performance.now() + BOOTS_WITHIN_MS;
    while (performance.now() < until) {
      if (firstIn(this.nspawn.pid) !== null) {
        const { out } = await this.run('systemctl is-system-running 2>&1', { mayFail: true });
        if (/running|degraded/.test(out)) return;
      }
      await Bun.sleep(200);
    }
    throw new Error(`${this.name} does not boot: ${readFileSync(`${this.root}.log`, 'utf8').slice(-1000)}`);
  }

  async run(
    lines: string,
    options: { mayFail?: boolean; folder?: string; stdin?: string } = {},
  ): Promise<Ran> {
    const first = this.nspawn === null ? null : firstIn(this.nspawn.pid);
    if (first === null) throw new Error(`${this.name} does not run.`);
    const command = ['nsenter', '-t', String(first), '-m', '-u', '-i', '-p', '-n', '-C', '--', 'env', '-i'];
    const shell = ['sh', '-ec', `cd ${options.folder ?? '/root'}\n${lines}`];
    const ran = Bun.spawn([...command, `PATH=${PATH}`, 'HOME=/root', 'TERM=dumb', ...shell], {
      stdin: new Blob([options.stdin ?? '']),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [out, error, code] = await Promise.all([
      new Response(ran.stdout).text(),
      new Response(ran.stderr).text(),
      ran.exited,
    ]);
    if (code !== 0 && options.mayFail !== true)
      throw new Error(`${lines}\nended with ${code}: ${out}${error}`);
    return { code, out: out + error };
  }

  async cutPower(): Promise<void> {
    const { nspawn } = this;
    if (nspawn === null) return;
    const first = firstIn(nspawn.pid);
    if (first !== null) process.kill(first, 'SIGKILL');
    await nspawn.exited;
    this.nspawn = null;
  }

  async halt(): Promise<void> {
    const { nspawn } = this;
    if (nspawn === null) return;
    await this.run('systemctl poweroff', { mayFail: true });
    await nspawn.exited;
    this.nspawn = null;
  }

  async reboot(): Promise<void> {
    await this.halt();
    await this.boot();
  }

  put(from: string, to: string): void {
    mkdirSync(join(this.root, to, '..'), { recursive: true });
    cpSync(from, join(this.root, to), { recursive: true });
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  names(folder: string): string[] {
    const path = join(this.root, folder);
    return existsSync(path) ? readdirSync(path) : [];
  }

  async remove(): Promise<void> {
    await this.cutPower();
    rmSync(this.root, { recursive: true, force: true });
    rmSync(`${this.root}.log`, { force: true });
  }
}
