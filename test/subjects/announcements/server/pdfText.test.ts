import { describe, expect, test } from 'bun:test';
import { extractText } from '#subjects/announcements/server/summaries/pdf/extractText.ts';
import { pdfText } from '#subjects/announcements/server/summaries/pdf/pdfText.ts';
import { longPdf, pdfOf, textPdf } from '#support/pdf.ts';

const read = (bytes: Uint8Array<ArrayBuffer>, more: Partial<Parameters<typeof pdfText>[1]> = {}) =>
  pdfText(bytes, { signal: new AbortController().signal, ...more });
const shell = (script: string) => ['/bin/sh', '-c', script];
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the text of a PDF', () => {
  test('has all pages in order', async () => {
    expect(await read(textPdf(['Quarterly (report)', 'Iron ore rose.'], ['Second page']))).toBe(
      'Quarterly (report)\nIron ore rose.\nSecond page\n',
    );
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a page of HTML', bytesOf('<!DOCTYPE html><html></html>')],
    ['only a header', bytesOf('%PDF-1.7\n')],
    ['noise', crypto.getRandomValues(new Uint8Array(20_000))],
    ['half a document', textPdf(['Quarterly report']).slice(0, 300)],
  ])('%s: has no text, and always ends with an answer', async (_, bytes) => {
    // Runs without a separate process, which would start again for each case; its errors are tested below.
    const text = await extractText(bytes).catch((error: unknown) => error);
    expect(text).toSatisfy((one) => one instanceof Error || /^\s*$|Quarterly/.test(String(one)));
  });

  test('with pages that are their own parents is empty, without harm', async () => {
    // Runs in the reader’s own process, so an endless loop only affects the reader, which is killed.
    const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
    const text = await read(pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 99999999 >>']));
    expect(text?.trim() ?? '').toBe('');
  });
});

describe('a reader process', () => {
  test('that does not end is killed', async () => {
    expect(await read(longPdf(50), { timeoutMs: 1000 })).toBeNull();
    expect(await read(textPdf([]), { command: shell('while :; do :; done'), timeoutMs: 100 })).toBeNull();
  });

  test('gets 15 seconds of processor time from the kernel', async () => {
    const text = await read(textPdf([]), { command: shell('printf \'"%s"\' "$(ulimit -t)"') });
    expect(text).toBe('15');
  });

  test('that wants too much memory does not get it', async () => {
    const hog = (megabytes: number) => `const all = [];
      while (all.length < ${megabytes / 8}) all.push(new Uint8Array(8 << 20));
      console.log('"it got them"');`;
    const run = (megabytes: number) =>
      read(textPdf([]), { command: [process.execPath, '-e', hog(megabytes)] });
    expect(await run(80)).toBe('it got them');
    expect(await run(800)).toBeNull();
  });

  test('that prints too much or something other than text is ignored', async () => {
    for (const script of ['yes', 'echo 7', 'echo {', 'exit 3', 'echo \'"ab"\'; exit 1', 'kill -9 $$']) {
      expect(await read(textPdf([]), { command: shell(script), timeoutMs: 20_000 })).toBeNull();
    }
    expect(await read(textPdf([]), { command: shell('echo \'"ab"\'') })).toBe('ab');
  });

  test('does not know the server’s settings', async () => {
    const text = await read(textPdf([]), { command: shell('printf \'"%s"\' "$(env | tr "\\n\\"" "  ")"') });
    expect(text).toContain('DO_NOT_TRACK=1');
    expect(text).not.toMatch(/BELLBIRD|HOME=|USER=/);
  });

  test('ends with the server', async () => {
    const stop = new AbortController();
    // A single process, like the reader: a child of the shell would survive and hold the pipe.
    const command = shell('exec sleep 60');
    const reading = read(textPdf([]), { command, signal: stop.signal, timeoutMs: 60_000 });
    stop.abort();
    expect(await reading).toBeNull();
  });
});
