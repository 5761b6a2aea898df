import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { needExecutable, type Running, startBellbird, usageOf } from '../support/executable.ts';
import { HOSTILE_REQUESTS, type HostileRequest } from '../support/hostileRequests.ts';

await needExecutable();

describe('one request does not stop the market', () => {
  let bellbird: Running;
  beforeAll(async () => {
    bellbird = await startBellbird({ env: { BELLBIRD_SIM_START: '10:30' } });
  });
  afterAll(() => bellbird?.stop());

  const send = async ({ path, init }: HostileRequest): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${bellbird.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  };

  test('each is refused in a sentence that repeats nothing of it', async () => {
    for (const request of HOSTILE_REQUESTS) {
      const { status, text } = await send(request);
      expect([request.name, status >= 400 && status < 500]).toEqual([request.name, true]);
      expect([request.name, JSON.parse(text).error]).toEqual([
        request.name,
        expect.stringMatching(/^[A-Z][^[{]{9,150}\.?$/),
      ]);
    }
  });

  test('health is answered at once while they come, and memory stays as it was', async () => {
    // Before it is measured, everything has run once.
    for (const request of HOSTILE_REQUESTS) await send(request);
    const before = await usageOf(bellbird.pid);
    const attack = Promise.all(
      Array.from({ length: 4 }, async (_, offset) => {
        for (let index = offset; index < HOSTILE_REQUESTS.length * 6; index += 4) {
          const request = HOSTILE_REQUESTS[index % HOSTILE_REQUESTS.length];
          if (request) await send(request);
        }
      }),
    );
    let isOver = false;
    const over = attack.then(() => {
      isOver = true;
    });
    // What the server worked while each was waited for: the time that passed tells of a busy machine just as well.
    const works: number[] = [];
    while (!isOver) {
      const asked = await usageOf(bellbird.pid);
      expect((await fetch(`${bellbird.url}/healthz`)).status).toBe(200);
      works.push((await usageOf(bellbird.pid)).cpuMs - asked.cpuMs);
      await Bun.sleep(5);
    }
    await over;
    const after = await usageOf(bellbird.pid);
    const cpuPerRequest = (after.cpuMs - before.cpuMs) / (HOSTILE_REQUESTS.length * 6 + works.length);
    // One request took 12 s and 2.7 GB.
    expect(Math.max(...works)).toBeLessThan(1500);
    expect(cpuPerRequest).toBeLessThan(30);
    expect(after.residentMb - before.residentMb).toBeLessThan(150);
  });
});
