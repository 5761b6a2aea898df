import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseTarget } from '#platform/backupTarget/chooseTarget.ts';
import { fetchInto, isEncryptedFile, send, type Source } from '#platform/backupTarget/transfer.ts';
import type { BackupTarget, Lock } from '#platform/backupTarget/target.ts';
import { startFakeS3 } from '#support/fakeS3.ts';
import { startFakeWebDav } from '#support/fakeWebDav.ts';
import { mountSmallDisk } from '#support/smallDisk.ts';
import { tempFolders } from '#support/tempFolder.ts';

const newFolder = tempFolders();
const s3 = startFakeS3();
const dav = startFakeWebDav();
afterAll(() => Promise.all([s3.stop(), dav.stop()]));
beforeEach(() => {
  dav.reset();
  s3.objects.clear();
  Object.assign(s3.state, { refusal: null, isDamaging: false, isLocked: false, largest: 0 });
});

const PASSPHRASE: Lock = { kind: 'passphrase', passphrase: 'six words that nobody guesses' };
/** 12 MB of distinct bytes: more than two upload parts. */
const CONTENT = new Uint8Array(12_000_000).map((_, index) => (index * 31 + (index >> 8)) & 255);
const source = (bytes: Uint8Array<ArrayBuffer> = CONTENT): Source => ({
  bytes: bytes.length,
  open: () => new Blob([bytes]).stream(),
});
const quiet = { onProgress: () => {} };

async function fetchFrom(
  target: BackupTarget,
  name: string,
  secret: string | null,
  path: string,
): Promise<void> {
  const bytes = (await target.list()).find((file) => file.name === name)?.bytes ?? 0;
  await fetchInto({ content: await target.read(name), bytes, secret, path, ...quiet });
}

describe('sending', () => {
  const places = () => [s3.place, dav.place, { kind: 'folder', path: newFolder() } as const];

  test('can be decrypted only with the same passphrase', async () => {
    for (const place of places()) {
      const target = chooseTarget(place);
      const shares: number[] = [];
      const bytes = await send({
        target,
        name: 'a.db.age',
        source: source(),
        lock: PASSPHRASE,
        onProgress: (share) => shares.push(share),
      });
      expect(bytes).toBeGreaterThan(CONTENT.length);
      expect(await target.list()).toEqual([{ name: 'a.db.age', bytes }]);
      expect(shares.at(-1)).toBe(1);
      const path = join(newFolder(), 'out');
      await fetchFrom(target, 'a.db.age', PASSPHRASE.passphrase, path);
      expect(readFileSync(path).equals(CONTENT)).toBe(true);
      expect(fetchFrom(target, 'a.db.age', 'another one', path)).rejects.toThrow('does not open this backup');
      expect(fetchFrom(target, 'a.db.age', null, path)).rejects.toThrow('Enter its passphrase or key');
      expect(existsSync(path)).toBe(false);
      await target.remove('a.db.age');
      expect(await target.list()).toEqual([]);
    }
    expect(s3.state.largest).toBeLessThan(6_000_000);
  });

  test('leaves nothing under the name if the source fails', async () => {
    for (const place of places()) {
      const target = chooseTarget(place);
      let chunks = 0;
      const broken: Source = {
        bytes: 20_000_000,
        open: () =>
          new ReadableStream({
            pull(controller) {
              chunks += 1;
              if (chunks > 200) controller.error(new Error('the card is gone'));
              else controller.enqueue(new Uint8Array(65_536));
            },
          }),
      };
      expect(send({ target, name: 'd', source: broken, lock: null, ...quiet })).rejects.toThrow(
        'card is gone',
      );
      expect(await target.list()).toEqual([]);
    }
  });
});

describe('failures become sentences without secrets', () => {
  test('for a bucket that is full, forbidden, missing or unreachable', async () => {
    const cases = [
      [507, 'InsufficientStorage', 'there is no space left'],
      [403, 'AccessDenied', 'the key does not allow this'],
      [403, 'SignatureDoesNotMatch', 'the secret is wrong'],
      [403, 'RequestTimeTooSkewed', 'the clock of this server is wrong'],
      [500, 'a-secret-key', 'it could not be used'],
    ] as const;
    for (const [status, code, words] of cases) {
      s3.state.refusal = { status, code };
      const failure = await send({
        target: chooseTarget(s3.place),
        name: 'x',
        source: source(),
        lock: null,
        ...quiet,
      }).catch(String);
      expect(failure).toContain(words);
      expect(failure).not.toContain('a-secret-key');
    }
    s3.state.refusal = null;
    expect(chooseTarget({ ...s3.place, bucket: 'other' }).list()).rejects.toThrow(
      'the bucket does not exist',
    );
    expect(chooseTarget({ ...s3.place, endpoint: 'http://127.0.0.1:1' }).list()).rejects.toThrow(
      'cannot be reached',
    );
  });

  test('for a folder whose disk is not mounted, and do not create it', async () => {
    const path = join(newFolder(), 'usb');
    const target = chooseTarget({ kind: 'folder', path });
    expect(send({ target, name: 'x', source: source(), lock: null, ...quiet })).rejects.toThrow(
      'is mounted.',
    );
    expect(existsSync(path)).toBe(false);
  });

  test('for a full folder, which keeps its files and nothing half written', async () => {
    const disk = mountSmallDisk(join(newFolder(), 'disk'), 4096);
    if (disk === null) return;
    try {
      const target = chooseTarget({ kind: 'folder', path: disk.folder });
      await send({ target, name: 'small', source: source(CONTENT.slice(0, 1000)), lock: null, ...quiet });
      const work = send({ target, name: 'large', source: source(), lock: null, ...quiet });
      expect(work).rejects.toThrow('There is no space left');
      expect(await target.list()).toEqual([{ name: 'small', bytes: 1000 }]);
    } finally {
      disk.release();
    }
  });
});

describe('fetching', () => {
  test('rejects a shortened or changed file, and removes it', async () => {
    const folder = newFolder();
    const target = chooseTarget({ kind: 'folder', path: folder });
    await send({ target, name: 'a.age', source: source(), lock: PASSPHRASE, ...quiet });
    const whole = readFileSync(join(folder, 'a.age'));
    expect(await isEncryptedFile(join(folder, 'a.age'))).toBe(true);
    const path = join(newFolder(), 'out');
    for (const [cut, changed] of [
      [whole.length - 1, -1],
      [whole.length - 65_552, -1],
      [400, -1],
      [whole.length, 5_000_000],
    ] as const) {
      const bytes = Buffer.from(whole.subarray(0, cut));
      if (changed >= 0) bytes[changed] = (bytes[changed] ?? 0) ^ 1;
      writeFileSync(join(folder, 'b.age'), bytes);
      expect(fetchFrom(target, 'b.age', PASSPHRASE.passphrase, path)).rejects.toThrow('damaged or cut short');
      expect(existsSync(path)).toBe(false);
    }
  });

  test('rejects a header that requires too much memory before allocating any', async () => {
    const folder = newFolder();
    const target = chooseTarget({ kind: 'folder', path: folder });
    await send({ target, name: 'a.age', source: source(), lock: PASSPHRASE, ...quiet });
    const text = readFileSync(join(folder, 'a.age'), 'latin1');
    writeFileSync(join(folder, 'b.age'), Buffer.from(text.replace(/ 16\n/, ' 20\n'), 'latin1'));
    const path = join(newFolder(), 'out');
    expect(fetchFrom(target, 'b.age', PASSPHRASE.passphrase, path)).rejects.toThrow('more memory');
  });

  test('writes no more than the stated size of the file', async () => {
    const path = join(newFolder(), 'out');
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    });
    const work = fetchInto({ content: endless, bytes: 1_000_000, secret: null, path, ...quiet });
    expect(work).rejects.toThrow('The file is larger than its backup');
    expect(existsSync(path)).toBe(false);
  });
});
