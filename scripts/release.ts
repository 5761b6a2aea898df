import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Build } from 'bun';
import { buildExecutable } from './build/executable.ts';
import { currentCommit } from './build/inputs.ts';
import { buildWeb } from './build/web.ts';

const TARGETS = {
  'bellbird-linux-x64': 'bun-linux-x64',
  'bellbird-linux-x64-baseline': 'bun-linux-x64-baseline',
  'bellbird-linux-arm64': 'bun-linux-arm64',
} as const satisfies Record<string, Build.CompileTarget>;

/** The ELF header's machine field (bytes 18 and 19) of each target. */
const MACHINES: Record<keyof typeof TARGETS, number> = {
  'bellbird-linux-x64': 0x3e,
  'bellbird-linux-x64-baseline': 0x3e,
  'bellbird-linux-arm64': 0xb7,
};

/** Compiles every target into `dist/release`, checks each file's kind and writes `SHA256SUMS`. */
async function main(): Promise<void> {
  const root = dirname(import.meta.dir);
  const release = join(root, 'dist', 'release');
  const commit = await currentCommit(root);
  const work = await mkdtemp(join(tmpdir(), 'bellbird-release-'));
  try {
    await rm(release, { recursive: true, force: true });
    await mkdir(release, { recursive: true });
    const webFolder = join(work, 'web');
    await buildWeb({ root, outdir: webFolder, commit });
    const sums: string[] = [];
    for (const name of Object.keys(TARGETS) as (keyof typeof TARGETS)[]) {
      const outfile = join(release, name);
      await buildExecutable({ root, outfile, webFolder, commit, target: TARGETS[name] });
      const bytes = await Bun.file(outfile).bytes();
      checkKind(name, bytes);
      sums.push(`${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  ${name}`);
      console.log(`dist/release/${name}: ${(bytes.byteLength / 1024 / 1024).toFixed(0)} MB`);
    }
    await Bun.write(join(release, 'SHA256SUMS'), `${sums.join('\n')}\n`);
    console.log(sums.join('\n'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function checkKind(name: keyof typeof TARGETS, bytes: Uint8Array): void {
  const machine = (bytes[18] ?? 0) | ((bytes[19] ?? 0) << 8);
  const magic = new TextDecoder('latin1').decode(bytes.subarray(0, 4));
  if (magic !== '\x7fELF' || machine !== MACHINES[name]) {
    throw new Error(`${name} is not a Linux program for its processor (machine 0x${machine.toString(16)}).`);
  }
}

await main();
