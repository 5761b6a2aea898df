import { deflateSync } from 'node:zlib';

/** Objects of a PDF by number, each the text between `obj` and `endobj`; the first is the catalog. */
export function pdfOf(objects: readonly string[], header = '%PDF-1.4\n'): Uint8Array<ArrayBuffer> {
  let body = header;
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Uint8Array.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`, (letter) =>
    letter.charCodeAt(0),
  );
}

const streamOf = (content: string, filter = ''): string =>
  `<< /Length ${content.length}${filter} >>\nstream\n${content}\nendstream`;

export function pdfWithPages(contents: readonly string[], filter = ''): Uint8Array<ArrayBuffer> {
  const first = 4;
  const kids = contents.map((_, at) => `${first + at * 2} 0 R`).join(' ');
  const pages = contents.flatMap((content, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + at * 2 + 1} 0 R ` +
      '/Resources << /Font << /F1 3 0 R >> >> >>',
    streamOf(content, filter),
  ]);
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages,
  ]);
}

const drawn = (lines: readonly string[]): string => {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`);
  return `BT /F1 12 Tf 72 760 Td 14 TL ${shown.join(' ')} ET`;
};

/** A document with these lines on each page; ASCII only. */
export const textPdf = (...pages: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> =>
  pdfWithPages(pages.map(drawn));

/** A document whose page unpacks to these drawing commands, compressed to a thousandth of their length. */
function packedPdf(commands: Uint8Array): Uint8Array<ArrayBuffer> {
  return pdfWithPages([deflateSync(commands).toString('latin1')], ' /Filter /FlateDecode');
}

/** It unpacks to `megabytes` of drawing commands, which take time to read. */
export function longPdf(megabytes: number): Uint8Array<ArrayBuffer> {
  const commands = Buffer.alloc(megabytes * 1024 * 1024, '(aaaaaaaaaaaaaaaaaaaaaaaaa) Tj '.padEnd(64));
  commands.write('BT /F1 12 Tf '.padEnd(64));
  return packedPdf(commands);
}

/** It unpacks to one text of `megabytes`, which takes many times as much memory. */
export function bombPdf(megabytes: number): Uint8Array<ArrayBuffer> {
  const commands = new Uint8Array(megabytes * 1024 * 1024).fill(0x61);
  commands.set(new TextEncoder().encode('BT /F1 12 Tf ('));
  commands.set(new TextEncoder().encode(') Tj ET'), commands.length - 7);
  return packedPdf(commands);
}
