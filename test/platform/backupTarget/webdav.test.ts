import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { send } from '#platform/backupTarget/transfer.ts';
import type { BackupTarget } from '#platform/backupTarget/target.ts';
import { readListing, createWebDavTarget } from '#platform/backupTarget/webdavTarget.ts';
import { LIMITS } from '#platform/backupTarget/webdavRequests.ts';
import { startFakeWebDav } from '#support/fakeWebDav.ts';

const dav = startFakeWebDav();
afterAll(() => dav.stop());
beforeEach(() => dav.reset());

const USE = { dataFolder: '/data', prefix: 'bellbird-abcd1234-', isKnown: false };
const SMALL = new TextEncoder().encode('what is sent, some bytes of it');
const source = { bytes: SMALL.length, open: () => new Blob([SMALL]).stream() };
const sent = (target: BackupTarget, name = 'a.db.age'): Promise<number> =>
  send({ target, name, source, lock: null, onProgress: () => {} });
const target = () => createWebDavTarget(dav.place);
const at = (path: string) => createWebDavTarget({ ...dav.place, url: dav.place.url.replace('pi', path) });
/** The message of the failure, which contains no secret. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const failure = await work.then(() => 'nothing failed', String);
  for (const secret of dav.secrets) expect(failure).not.toContain(secret);
  return failure;
}

describe('a file', () => {
  test('is sent under a temporary name, with its length, and renamed by MOVE', async () => {
    await sent(target(), 'a recording (ü) #1.age');
    expect(dav.asked).toEqual([
      'PUT /dav/pi/a recording (ü) #1.age.partial',
      'MOVE /dav/pi/a recording (ü) #1.age.partial',
      'GET /dav/pi/a recording (ü) #1.age',
    ]);
    expect([...dav.files.keys()]).toEqual(['pi/a recording (ü) #1.age']);
  });

  test('is moved by path if a proxy hides the server’s own address', async () => {
    dav.state.knownAs = '/';
    await sent(target());
    expect([...dav.files.keys()]).toEqual(['pi/a.db.age']);
    expect(dav.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
  });

  test('is sent again if the server cannot move it, and the next one directly under its name', async () => {
    dav.state.canMove = false;
    const one = target();
    await sent(one);
    await sent(one, 'b.db.age');
    expect([...dav.files.keys()].toSorted()).toEqual(['pi/a.db.age', 'pi/b.db.age']);
    expect(dav.asked.filter((line) => line.startsWith('MOVE'))).toHaveLength(1);
  });

  test('that the server truncates is detected and removed', async () => {
    dav.state.isHalving = true;
    expect(await failureOf(sent(target()))).toContain('differs from the file that was sent');
    expect(dav.files.size).toBe(0);
  });
});

test('a missing folder is created once, before the first file', async () => {
  const made = at('new');
  expect(await failureOf(made.list())).toContain('The first backup creates it');
  await made.prepare(USE);
  await made.prepare(USE);
  expect(dav.asked.filter((line) => line.startsWith('MKCOL'))).toEqual(['MKCOL /dav/new/']);
  await sent(made);
  expect(await made.list()).toEqual([{ name: 'a.db.age', bytes: SMALL.length }]);
});

describe('failures become sentences without secrets', () => {
  test('for a redirect, which is not followed, so the password is not sent elsewhere', async () => {
    const received: string[] = [];
    const other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ method }) => {
        received.push(method);
        return new Response('');
      },
    });
    const elsewhere = () =>
      new Response(null, { status: 307, headers: { location: `http://127.0.0.1:${other.port}/` } });
    try {
      for (const method of ['PROPFIND', 'PUT', 'GET', 'MOVE', 'DELETE', 'MKCOL'])
        dav.state.refusals[method] = elsewhere;
      expect(await failureOf(target().list())).toContain('redirects to another address (307)');
      expect(await failureOf(target().prepare(USE))).toContain('redirects');
      expect(await failureOf(sent(target()))).toContain('redirects');
      expect(await failureOf(target().read('a'))).toContain('redirects');
      expect(await failureOf(target().remove('a'))).toContain('redirects');
      expect(received).toEqual([]);
    } finally {
      await other.stop(true);
    }
  });

  test('for a server that is full, forbidden, busy, gone or not WebDAV', async () => {
    const cases = [
      ['PUT', 507, 'there is no space left'],
      ['PUT', 403, 'the user does not have permission'],
      ['MOVE', 423, 'the file is locked there'],
      [
        'PUT',
        405,
        'it does not accept the file (405): check that there is space and that the folder is writable',
      ],
    ] as const;
    for (const [method, status, words] of cases) {
      dav.reset();
      dav.state.refusals[method] = () => dav.refuse(status);
      expect(await failureOf(sent(target()))).toContain(`${words}.`);
      expect(dav.files.size).toBe(0);
    }
    dav.state.refusals['PROPFIND'] = () => new Response('<html>', { status: 200 });
    expect(await failureOf(target().list())).toContain('it is not a WebDAV folder');
    expect(await failureOf(target().read('gone'))).toContain('the file no longer exists');
    const away = createWebDavTarget({ ...dav.place, url: 'http://127.0.0.1:1/dav' });
    expect(await failureOf(away.list())).toContain('cannot be reached');
  });

  test('for a server that stops responding', async () => {
    const never = () => Promise.withResolvers<Response>().promise;
    const hurried = () => createWebDavTarget(dav.place, { ...LIMITS, answer: 200, still: 200, settle: 200 });
    for (const method of ['PROPFIND', 'PUT', 'MOVE', 'GET']) {
      dav.reset();
      dav.state.refusals[method] = never;
      const work = method === 'PROPFIND' ? hurried().list() : sent(hurried());
      expect([method, await failureOf(work)]).toEqual([
        method,
        expect.stringContaining('not answer in time'),
      ]);
    }
    const stops = () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('<?xml')) }));
    dav.reset();
    dav.state.refusals['GET'] = stops;
    expect(await failureOf(sent(hurried()))).toContain('not answer in time');
    dav.state.refusals['PROPFIND'] = () => new Response(stops().body, { status: 207 });
    expect(await failureOf(hurried().list())).toContain('not answer in time');
  });
});

const readText = (text: string, chunkBytes = 7) => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return readListing(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + chunkBytes));
        at += chunkBytes;
      },
    }),
  );
};
const response = (href: string, length: string): string =>
  `<response><href>${href}</href><propstat><prop><getcontentlength>${length}</getcontentlength></prop></propstat></response>`;
const listOf = (inner: string): string => `<multistatus xmlns="DAV:">${inner}</multistatus>`;
const UNREADABLE = 'cannot be read';

describe('a list of files', () => {
  test('is parsed with any namespace prefix, in chunks of any size', async () => {
    const apache =
      '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">\n' +
      '<D:response xmlns:lp1="DAV:"><D:href>/dav/</D:href><D:propstat><D:prop><lp1:resourcetype><D:collection/></lp1:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>' +
      '<D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>' +
      '<D:response xmlns:lp1="DAV:"><D:href>/dav/%C3%BC%20b.age</D:href><D:propstat><D:prop><lp1:resourcetype/><lp1:getcontentlength> 12 </lp1:getcontentlength></D:prop></D:propstat></D:response></D:multistatus>';
    const own = listOf(response('http://nas/dav/a&amp;b.age', '3') + response('c.age', '<![CDATA[4]]>'));
    for (const chunkBytes of [1, 7, 100_000]) {
      expect(await readText(apache, chunkBytes)).toEqual([{ name: 'ü b.age', bytes: 12 }]);
      expect(await readText(own, chunkBytes)).toEqual([
        { name: 'a&b.age', bytes: 3 },
        { name: 'c.age', bytes: 4 },
      ]);
    }
  });

  test('that is malformed or incomplete is rejected', async () => {
    const whole = listOf(response('/a', '1'));
    for (const text of [
      '',
      ' ',
      'Not found',
      '<html></html>',
      whole.slice(0, -3),
      `${whole}<more/>`,
      whole.replace(' xmlns="DAV:"', ''),
      whole.replace('</href>', '</x>'),
      listOf('&undefined;'),
    ])
      expect(readText(text)).rejects.toThrow(UNREADABLE);
  });

  test('that defines entities is rejected before it is parsed further', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}">]>`;
    expect(readText(bomb + listOf('&b;'))).rejects.toThrow(UNREADABLE);
    expect(readText(listOf('<a>'.repeat(1000)))).rejects.toThrow(UNREADABLE);
  });

  test('is read up to 8 MB', async () => {
    const many = listOf(response('/a', '1').repeat(100_000));
    expect(readText(many, 65_536)).rejects.toThrow('too many files');
    const long = listOf(response(`/${'a'.repeat(7_000_000)}`, '1'));
    expect((await readText(long, 65_536))[0]?.name.length).toBeLessThan(5000);
  });
});
