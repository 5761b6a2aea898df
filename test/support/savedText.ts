import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download } from 'playwright-core';

/** What a page saved as a file. The browser may be shared with other stories, and then keeps it to itself. */
export async function savedText(download: Download): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellbird-saved-'));
  try {
    await download.saveAs(join(folder, 'file'));
    return await readFile(join(folder, 'file'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
