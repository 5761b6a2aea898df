import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '#lib/random.ts';
import { type Bench, Installation } from '../installation.ts';
import { Panel } from '../panel.ts';
import { type Built, Releases } from '../releases.ts';

const CUTS = 6;
const TRIAL_SECONDS = 5;
const RELEASES = '/srv/releases';
const DROP_IN = '/etc/systemd/system/bellbird.service.d';

/** A server that gets releases from a folder, set up as the docs say, with an administrator. */
class Updated {
  private constructor(
    readonly installed: Installation,
    readonly panel: Panel,
  ) {}

  static async create(bench: Bench, old: Built): Promise<Updated> {
    const installed = await Installation.create({ ...bench, released: old.file }, 'update');
    const { machine } = installed;
    await installed.serves();
    const token = await installed.becomeAdministrator();
    await machine.run(
      `chown -R bellbird:bellbird /opt/bellbird
      install -D -m 644 deploy/systemd/self-update.conf ${DROP_IN}/self-update.conf
      printf 'BELLBIRD_RELEASES=${RELEASES}\\nBELLBIRD_TRIAL_SECONDS=${TRIAL_SECONDS}\\n' >> /etc/bellbird/env
      systemctl daemon-reload && systemctl restart bellbird`,
    );
    await installed.serves();
    return new Updated(installed, new Panel(installed, token));
  }

  offer({ folder }: Built): void {
    const { machine } = this.installed;
    rmSync(join(machine.root, RELEASES), { recursive: true, force: true });
    machine.put(folder, RELEASES);
  }

  /** Restores a version by hand, as the docs say. */
  async putBack({ file }: Built): Promise<void> {
    const { machine } = this.installed;
    machine.put(file, '/root/back');
    await machine.run(
      `systemctl stop bellbird
      rm -rf /var/lib/bellbird/update
      install -m 755 -o bellbird -g bellbird /root/back /opt/bellbird/bellbird
      systemctl start bellbird`,
    );
    await this.installed.serves();
  }
}

function expectRuns(commit: string, { commit: wanted }: Built, when: string): void {
  if (commit !== wanted) throw new Error(`${when} ${commit} runs, not ${wanted}.`);
}

/** Tests updates from a folder of signed releases: good, bad, forged, and with the power cut at random moments. */
export async function update(bench: Bench, seed: number): Promise<string> {
  const random = createRandom(seed);
  const folder = join(bench.folder, 'releases');
  mkdirSync(folder);
  const releases = new Releases(folder);
  const [old, good] = [releases.build('0.1.0'), releases.build('0.1.1')];
  const bad = releases.build('0.1.2', false);
  const updated = await Updated.create(bench, old);
  const { panel } = updated;
  const { machine } = updated.installed;
  try {
    updated.offer(good);
    await panel.begin();
    const after = await panel.ended();
    if (after?.phase !== 'healthy') throw new Error(`A good one ended ${after?.phase}.`);
    expectRuns(await panel.commit(), good, 'After a good one');
    updated.offer(bad);
    await panel.begin();
    const taken = await panel.ended();
    if (taken?.phase !== 'rolledBack') throw new Error(`A bad one ended ${taken?.phase}.`);
    expectRuns(await panel.commit(), good, 'After a bad one');
    await updated.putBack(old);
    updated.offer(good);
    machine.write(`${RELEASES}/SHA256SUMS`, 'forged\n');
    const forged = await panel.begin().then(
      () => null,
      (error: unknown) => String(error),
    );
    if (forged === null) throw new Error('A forged release was accepted.');
    updated.offer(good);
    const ends: string[] = [];
    for (let cut = 1; cut <= CUTS; cut += 1) {
      await updated.putBack(old);
      await panel.begin();
      await Bun.sleep(random() * 8000);
      await machine.cutPower();
      await machine.boot();
      const phase = (await panel.ended())?.phase ?? 'none';
      const commit = await panel.commit();
      if (commit !== old.commit && commit !== good.commit) throw new Error(`Cut ${cut}: ${commit} runs.`);
      ends.push(`${commit === good.commit ? 'new' : 'old'} (${phase})`);
    }
    return `good: stays; bad: rolled back automatically; forged: ${forged.slice(0, 160)}; ${CUTS} cuts of the power: ${ends.join(', ')}`;
  } finally {
    await machine.remove();
  }
}
