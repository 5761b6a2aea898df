import { describe, expect, test } from 'bun:test';
import { formatRecord } from '../../src/lib/logging.ts';
import { createRedactor } from '../../src/lib/redact.ts';

const redactor = createRedactor(['the-ingest-key-of-this-server', null, 'abc']);
const JWT = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ1aWQiOjF9.c2lnbmF0dXJlX29mX3RoZV90b2tlbg`;
const BOT = `123456789:AA${'Hqr0tUvWxYz-1234567890_abcdefghij'}`;

const secrets: [string, string][] = [
  [BOT, `POST https://api.telegram.org/bot${BOT}/sendMessage failed`],
  [BOT, `token ${BOT} was refused`],
  [JWT, `authorization: ${JWT}`],
  [JWT, `{"authorization":"${JWT}"}`],
  [JWT, `GET /api/user/alerts/stream?token=${JWT}&x=1`],
  ['s3cr3t', 'GET /x?a=1&token=s3cr3t#top'],
  ['s3cr3t', 'http://host/#/register?setup=s3cr3t'],
  ['s3cr3t', '?api_key=s3cr3t'],
  ['c00kie', 'Cookie: sessionid=c00kie; other=c00kie'],
  ['c00kie', 'set-cookie: a=c00kie'],
  ['s3cr3t!', '{"password":"s3cr3t!","username":"anna"}'],
  ['qu"oted', JSON.stringify({ newPassword: 'qu"oted' })],
  ["it's me", `{"password":"it's me","username":"anna"}`],
  ['cut off', '{"username":"anna","password":"cut off'],
  ['s3cr3t', `${'x'.repeat(200)}_token: "s3cr3t"`],
  ['abcdefghijkl', 'Authorization: Bearer abcdefghijkl'],
  ['sk-abcdefghijklmnopqrstuv', 'model said sk-abcdefghijklmnopqrstuv'],
  ['hunter22', 'http://anna:hunter22@127.0.0.1:8080/v1 could not be reached'],
  ['the-ingest-key-of-this-server', 'key the-ingest-key-of-this-server was wrong'],
];

describe('no secret survives', () => {
  for (const [secret, text] of secrets) {
    test(text.slice(0, 60), () => {
      const clean = redactor.text(text);
      expect(clean).not.toContain(secret);
      expect(clean).toContain('[redacted]');
      expect(redactor.text(clean)).toBe(clean);
    });
  }
  test('by the name of a key, at any depth', () => {
    const clean = redactor.value({
      user: { passwordHash: 'h', accessToken: 't', headers: { Cookie: 'c' } },
      list: [{ ingestKey: 'k' }],
      telegram: { token: null, botToken: 'x' },
    });
    expect(clean).toEqual({
      user: { passwordHash: '[redacted]', accessToken: '[redacted]', headers: { Cookie: '[redacted]' } },
      list: [{ ingestKey: '[redacted]' }],
      telegram: { token: null, botToken: '[redacted]' },
    });
  });
  test('in whatever is logged: circles, depth, and values that JSON does not have', () => {
    const circle: Record<string, unknown> = { token: 't', big: 10n, run: test, when: new Date(0) };
    circle['self'] = circle;
    expect(redactor.value({ circle, twice: [circle, circle] })).toEqual({
      circle: {
        token: '[redacted]',
        big: '10',
        run: '[function]',
        when: '1970-01-01T00:00:00.000Z',
        self: '[circular]',
      },
      twice: Array.from({ length: 2 }, () => ({
        token: '[redacted]',
        big: '10',
        run: '[function]',
        when: '1970-01-01T00:00:00.000Z',
        self: '[circular]',
      })),
    });
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactor.value(deep))).toBe(`${'['.repeat(12)}"[too deep]"${']'.repeat(12)}`);
  });
  test('in an error, its stack and its cause', () => {
    const error = new Error(`failed at bot${BOT}`, { cause: new Error(`with ?token=${JWT}`) });
    const clean = String(redactor.value(error));
    expect(clean).toContain('Caused by: Error: with ?token=[redacted]');
    expect(clean).not.toContain(BOT);
    expect(clean).not.toContain(JWT);
  });
});

describe('ordinary text stays', () => {
  const plain = [
    'BHP rose 1.5 % to 50.60',
    'Request method=GET path=/api/settings status=200 ms=3',
    'https://www.asx.com.au/markets/company/BHP?tab=news',
    'The token of the link was used already',
    'an abc of trading',
    '12:30:45 the market opened',
  ];
  for (const text of plain) test(text, () => expect(redactor.text(text)).toBe(text));
  test('values of other types', () => {
    expect(redactor.value({ price: 1.5, ok: true, none: null, key: 'BHP' })).toEqual({
      price: 1.5,
      ok: true,
      none: null,
      key: 'BHP',
    });
  });
});

test('a line of the log holds no secret in its message or its facts', () => {
  const line = formatRecord(
    {
      category: ['bellbird', 'telegram'],
      level: 'warning',
      message: [`Sending to bot${BOT} failed`],
      rawMessage: '',
      timestamp: Date.UTC(2026, 10, 18),
      properties: { url: `https://x/bot${BOT}/y`, token: 'plain', tries: 3, missing: undefined },
    },
    redactor,
  );
  expect(line).toBe(
    '2026-11-18T00:00:00.000Z WARNING telegram: Sending to bot[redacted] failed' +
      ' url=https://x/bot[redacted]/y token=[redacted] tries=3',
  );
});
