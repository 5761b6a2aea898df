import { expect, test } from 'bun:test';
import { readBytes, readText } from '../../src/lib/boundedBody.ts';

const streamOf = (chunks: Uint8Array[], onCancel: () => void = () => undefined) =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const [next] = chunks.splice(0, 1);
      if (next) controller.enqueue(next);
      else controller.close();
    },
    cancel: onCancel,
  });
const bytes = new TextEncoder().encode('äöü€');
const parts = () => [bytes.slice(0, 1), bytes.slice(1, 4), bytes.slice(4)];

test('joins the pieces, however a letter is cut', async () => {
  expect(await readBytes(streamOf(parts()), 9)).toEqual(bytes);
  expect(await readText(streamOf(parts()), 9)).toBe('äöü€');
});

test('no body is an empty one', async () => {
  expect(await readText(null, 0)).toBe('');
  expect(await readText(streamOf([]), 0)).toBe('');
});

test('one byte too many: null, and the rest is not read', async () => {
  let cancelled = false;
  const body = streamOf([...parts(), new Uint8Array(1)], () => {
    cancelled = true;
  });
  expect(await readBytes(body, 8)).toBeNull();
  expect(cancelled).toBe(true);
});

test('a body that breaks off is an error', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('gone')),
  });
  expect(await readText(broken, 100).catch(String)).toContain('gone');
});
