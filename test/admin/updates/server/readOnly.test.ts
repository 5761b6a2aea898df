import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountSmallDisk } from '../../../support/smallDisk.ts';
import { createCheckout, createUpdateApp } from '../../../support/updateStage.ts';

const DISK_KB = 20_000;

test('an update of an installation that can not be written is refused with a sentence', async () => {
  const base = mkdtempSync(join(tmpdir(), 'bellbird-test-'));
  const disk = mountSmallDisk(join(base, 'disk'), DISK_KB);
  try {
    if (disk === null) return;
    const { executable, first: commit, publish } = createCheckout(disk.folder);
    publish('Add a thing');
    disk.makeReadOnly();
    const app = createUpdateApp({
      executable,
      running: { version: '1.0.0', commit },
      data: join(base, 'data'),
    });
    const answer = await app.update();
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('may not write into')]);
    await app.stop();
  } finally {
    disk?.release();
    rmSync(base, { recursive: true, force: true });
  }
});
