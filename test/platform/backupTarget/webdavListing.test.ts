import { describe, expect, test } from 'bun:test';
import { readListing } from '../../../src/platform/backupTarget/webdav/listing.ts';

const read = (text: string, pieceBytes = 7) => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return readListing(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + pieceBytes));
        at += pieceBytes;
      },
    }),
  );
};
const response = (href: string, length: string, more = ''): string =>
  `<response><href>${href}</href><propstat><prop>${more}<getcontentlength>${length}</getcontentlength></prop></propstat></response>`;
const list = (inner: string): string => `<multistatus xmlns="DAV:">${inner}</multistatus>`;
const UNREADABLE = 'can’t be read';

describe('a list of files', () => {
  test('is read whatever prefix a server gives its names, in pieces of any size', async () => {
    const apache =
      '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">\n' +
      '<D:response xmlns:lp1="DAV:"><D:href>/dav/</D:href><D:propstat><D:prop><lp1:resourcetype><D:collection/></lp1:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>' +
      '<D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response>' +
      '<D:response xmlns:lp1="DAV:"><D:href>/dav/%C3%BC%20b.age</D:href><D:propstat><D:prop><lp1:resourcetype/><lp1:getcontentlength> 12 </lp1:getcontentlength></D:prop></D:propstat></D:response></D:multistatus>';
    const own = list(response('http://nas/dav/a&amp;b.age', '3') + response('c.age', '<![CDATA[4]]>'));
    for (const pieceBytes of [1, 7, 100_000]) {
      expect(await read(apache, pieceBytes)).toEqual([{ name: 'ü b.age', bytes: 12 }]);
      expect(await read(own, pieceBytes)).toEqual([
        { name: 'a&b.age', bytes: 3 },
        { name: 'c.age', bytes: 4 },
      ]);
    }
  });

  test('leaves out what has no length or name, and names that are paths', async () => {
    const odd =
      response('/dav/a', '') + response('/dav/b', '-1') + response('/dav/..%2Fc', '1') + response('/', '1');
    expect(await read(list(odd + response('/dav/%ff', '1') + response('/dav/%2e%2e', '1')))).toEqual([]);
    expect(await read(list('<x xmlns=""><response/></x>'))).toEqual([]);
    expect(await read(list(''))).toEqual([]);
  });

  test('that is none, or not whole, is refused', async () => {
    const whole = list(response('/a', '1'));
    for (const text of [
      ...['', ' ', 'Not found', '<html></html>', whole.slice(0, -3), `${whole}<more/>`],
      ...[whole.replace(' xmlns="DAV:"', ''), whole.replace('</href>', '</x>'), list('&undefined;')],
    ])
      expect(read(text)).rejects.toThrow(UNREADABLE);
  });

  test('that defines texts which grow is refused before it is read on', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}">]>`;
    expect(read(bomb + list('&b;'))).rejects.toThrow(UNREADABLE);
    expect(read(list('<a>'.repeat(1000)))).rejects.toThrow(UNREADABLE);
  });

  test('is read to 8 MB', async () => {
    const many = list(response('/a', '1').repeat(100_000));
    expect(read(many, 65_536)).rejects.toThrow('too many files');
    const long = list(response(`/${'a'.repeat(7_000_000)}`, '1'));
    expect((await read(long, 65_536))[0]?.name.length).toBeLessThan(5000);
  });
});
