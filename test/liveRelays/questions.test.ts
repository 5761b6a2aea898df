import { describe, expect, test } from 'bun:test';
import { engineStage, textsOf } from '../support/engineStage.ts';

const stage = engineStage();

describe('a relay that asks for a word of the primary', () => {
  test('is one of any number who ask, and the question is gone once it was taken', async () => {
    const { url } = await stage.redis();
    const primary = await stage.connected(url);
    const relays = await Promise.all([stage.connected(url), stage.connected(url)]);
    expect(await primary.wasAsked()).toBeFalse();
    for (let turn = 0; turn < 50; turn += 1) await Promise.all(relays.map((relay) => relay.askForWord()));
    expect([await primary.wasAsked(), await primary.wasAsked()]).toEqual([true, false]);
  });

  test('is not waited for longer than a few seconds, and is answered by a frame', async () => {
    const { url, cli } = await stage.redis();
    const [primary, relay] = [await stage.connected(url), await stage.connected(url)];
    await relay.askForWord();
    const left = Number(await cli('PTTL', 'bellbird:question'));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(5000);
    await primary.publish({ position: { run: 1, number: 1 }, frame: { kind: 'presence' } });
    expect(textsOf(await relay.read(null, 1000))).toEqual(['presence']);
  });

  test('is heard whatever somebody else wrote in the place of the question, which nobody reads', async () => {
    const { url, cli } = await stage.redis();
    const [primary, relay] = [await stage.connected(url), await stage.connected(url)];
    for (let turn = 0; turn < 20; turn += 1) await cli('RPUSH', 'bellbird:question', 'x'.repeat(1_000_000));
    expect([await primary.wasAsked(), await primary.wasAsked()]).toEqual([true, false]);
    await relay.askForWord();
    expect(await primary.wasAsked()).toBeTrue();
  });
});
