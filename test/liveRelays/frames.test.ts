import { describe, expect, test } from 'bun:test';
import { at, engineStage, errorOf, textsOf } from '../support/engineStage.ts';
import { waitUntil } from '../support/waitUntil.ts';

const stage = engineStage();

describe('frames in the engine', () => {
  test('come in the order of their positions', async () => {
    const { url } = await stage.redis();
    const primary = await stage.connected(url);
    const relay = await stage.connected(url);
    expect(await primary.newest()).toBeNull();
    // Nobody waits for the one before.
    await Promise.all(Array.from({ length: 200 }, (_, index) => primary.publish(at(5, index + 1))));
    expect(await primary.newest()).toEqual({ run: 5, number: 200 });
    const read: string[] = [];
    let after = null;
    while (read.length < 200) {
      const placed = await relay.read(after, 1000);
      read.push(...textsOf(placed));
      after = placed.at(-1)?.position ?? null;
    }
    expect(read).toEqual(Array.from({ length: 200 }, (_, index) => `5-${index + 1}`));
  });

  test('are never doubled: a second primary with a smaller or equal position is refused', async () => {
    const { url } = await stage.redis();
    const first = await stage.connected(url);
    const second = await stage.connected(url);
    await first.publish(at(7, 1));
    for (const [run, number] of [
      [7, 1],
      [6, 9],
    ] as const) {
      expect(await errorOf(second.publish(at(run, number, 'other')))).toMatchObject({
        name: 'EngineError',
        reason: 'order',
        message: 'The message engine has a frame at this position or a later one.',
      });
    }
    await second.publish(at(8, 1));
    expect(textsOf(await first.read(null, 0))).toEqual(['7-1', '8-1']);
  });

  test('are read at once where there are any, otherwise as soon as one is published', async () => {
    const { url } = await stage.redis();
    const primary = await stage.connected(url);
    const relay = await stage.connected(url);
    await primary.publish(at(1, 1));
    expect(textsOf(await relay.read(null, 50_000))).toEqual(['1-1']);
    expect(await relay.read({ run: 1, number: 1 }, 0)).toEqual([]);
    expect(await relay.read({ run: 1, number: 1 }, 20)).toEqual([]);
    let read: string[] | null = null;
    const reading = relay.read({ run: 1, number: 1 }, 50_000).then((placed) => (read = textsOf(placed)));
    // What is asked of it meanwhile does not wait behind the reading.
    expect(await relay.newest()).toEqual({ run: 1, number: 1 });
    expect(read).toBeNull();
    await primary.publish(at(1, 2));
    await reading;
    expect<string[] | null>(read).toEqual(['1-2']);
  });

  test('are dropped when they are old', async () => {
    const { url } = await stage.redis();
    const primary = await stage.connected(url, { keptFrames: 10 });
    const frame = (number: number) => at(1, number, 'x'.repeat(5000));
    await Promise.all(Array.from({ length: 100 }, (_, index) => primary.publish(frame(index + 1))));
    const placed = await primary.read(null, 0);
    expect(placed.length).toBeGreaterThanOrEqual(10);
    expect(placed.length).toBeLessThan(30);
    expect(placed.at(-1)?.position).toEqual({ run: 1, number: 100 });
  });
});

test('an engine that is killed and started again', async () => {
  const server = await stage.redis();
  const client = await stage.connected(server.url);
  await client.publish(at(1, 1));
  const reading = client.read({ run: 1, number: 1 }, 50_000);
  await server.kill();
  expect(await errorOf(reading)).toMatchObject({ name: 'EngineError', reason: 'down' });
  await waitUntil('the loss', () => !client.isUp());
  const problem = client.problem();
  expect(problem).toContain(`redis://127.0.0.1:${server.port}`);
  expect(await errorOf(client.publish(at(1, 2)))).toMatchObject({ name: 'EngineError', message: problem });
  expect(await errorOf(client.read(null, 1000))).toMatchObject({ name: 'EngineError', message: problem });
  await server.restart();
  await waitUntil('the engine again', () => client.isUp());
  expect(client.problem()).toBeNull();
  expect(client.told.map((line) => line.split(':')[0])).toEqual(['up', 'down', 'up']);
  await client.publish(at(2, 1));
  expect(textsOf(await client.read(null, 1000))).toEqual(['2-1']);
});
