import { describe, expect, test } from 'bun:test';
import { extractText } from '#subjects/announcements/server/summaries/pdf/extractText.ts';
import { pdfText } from '#subjects/announcements/server/summaries/pdf/pdfText.ts';
import { longPdf, pdfOf, textPdf } from '#support/pdf.ts';

const read = (bytes: Uint8Array<ArrayBuffer>, more: Partial<Parameters<typeof pdfText>[1]> = {}) =>
  pdfText(bytes, { signal: new AbortController().signal, ...more });
const shell = (script: string) => ['/bin/sh', '-c', script];
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the text of a PDF', () => {
  test('page after page', async () => {
    expect(await read(textPdf(['Quarterly (report)', 'Iron ore rose.'], ['Second page']))).toBe(
      'Quarterly (report)\nIron ore rose.\nSecond page\n',
    );
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a page of HTML', bytesOf('<!DOCTYPE html><html></html>')],
    ['a header alone', bytesOf('%PDF-1.7\n')],
    ['noise', crypto.getRandomValues(new Uint8Array(20_000))],
    ['half a document', textPdf(['Quarterly report']).slice(0, 300)],
  ])('%s: none, and no end without an answer', async (_, bytes) => {
    // Without a process of its own, which starts anew for each: what becomes of an error there is looked at below.
    const text = await extractText(bytes).catch((error: unknown) => error);
    expect(text).toSatisfy((one) => one instanceof Error || /^\s*$|Quarterly/.test(String(one)));
  });

  test('of pages that are their own parents: none, and no harm', async () => {
    // In the reader's own process: if it read for ever, only the reader would, and it is ended.
    const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
    const text = await read(pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 99999999 >>']));
    expect(text?.trim() ?? '').toBe('');
  });
});

describe('what a document makes of its reader', () => {
  test('one that does not end is ended', async () => {
    expect(await read(longPdf(50), { timeoutMs: 1000 })).toBeNull();
    expect(await read(textPdf([]), { command: shell('while :; do :; done'), timeoutMs: 100 })).toBeNull();
  });

  test('the kernel gives it 15 seconds of a processor, whatever it does', async () => {
    const text = await read(textPdf([]), { command: shell('printf \'"%s"\' "$(ulimit -t)"') });
    expect(text).toBe('15');
  });

  test('one that wants too much memory does not get it', async () => {
    const hog = (megabytes: number) => `const all = [];
      while (all.length < ${megabytes / 8}) all.push(new Uint8Array(8 << 20));
      console.log('"it got them"');`;
    const run = (megabytes: number) =>
      read(textPdf([]), { command: [process.execPath, '-e', hog(megabytes)] });
    expect(await run(80)).toBe('it got them');
    expect(await run(800)).toBeNull();
  });

  test('one that says too much, or something else than text, is not listened to', async () => {
    for (const script of ['yes', 'echo 7', 'echo {', 'exit 3', 'echo \'"ab"\'; exit 1', 'kill -9 $$']) {
      expect(await read(textPdf([]), { command: shell(script), timeoutMs: 20_000 })).toBeNull();
    }
    expect(await read(textPdf([]), { command: shell('echo \'"ab"\'') })).toBe('ab');
  });

  test('it knows nothing of the server’s settings', async () => {
    const text = await read(textPdf([]), { command: shell('printf \'"%s"\' "$(env | tr "\\n\\"" "  ")"') });
    expect(text).toContain('DO_NOT_TRACK=1');
    expect(text).not.toMatch(/BELLBIRD|HOME=|USER=/);
  });

  test('it ends with the server', async () => {
    const stop = new AbortController();
    // One process, as the reader is: another one that the shell had begun would live on with the pipe in hand.
    const command = shell('exec sleep 60');
    const reading = read(textPdf([]), { command, signal: stop.signal, timeoutMs: 60_000 });
    stop.abort();
    expect(await reading).toBeNull();
  });
});
