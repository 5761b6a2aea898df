import { expect, test } from 'bun:test';

/** What a machine in a zone says of times of Sydney in winter and in summer. */
async function marksIn(zone: string): Promise<unknown> {
  const code = `
    const { zoneMark } = await import('${import.meta.dir}/../../../web/shared/zoneMark.ts');
    console.log(JSON.stringify(['2026-07-01T02:00:00Z', '2026-11-26T00:00:00Z'].map((at) => zoneMark(Date.parse(at)))));
  `;
  const child = Bun.spawn([process.execPath, '-e', code], { env: { ...process.env, TZ: zone } });
  return JSON.parse(await new Response(child.stdout).text());
}

test.each([
  ['Australia/Sydney', ['', '']],
  ['Australia/Melbourne', ['', '']],
  // The same clock in winter alone.
  ['Australia/Brisbane', ['', ' AEDT']],
  ['Australia/Perth', [' AEST', ' AEDT']],
  ['Europe/London', [' AEST', ' AEDT']],
])('on a machine in %s the zone of the market’s times is said where it is another', async (zone, marks) =>
  expect(await marksIn(zone)).toEqual(marks),
);
