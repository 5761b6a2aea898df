import { describe, expect, test } from 'bun:test';
import { readToolCall } from '../../../../src/subjects/questions/rules/tools.ts';

const read = (name: string, argumentsText: string, level: 0 | 2 = 2) =>
  readToolCall({ name, argumentsText }, level);

describe('calls that a model makes', () => {
  const good: [name: string, text: string, input: object][] = [
    ['quote', '{"symbol":"BHP"}', { name: 'quote', symbol: 'BHP' }],
    ['quote', '{"symbol":"asx:bhp"}', { name: 'quote', symbol: 'BHP' }],
    ['quote', '{"symbol":"BHP.AX","exchange":"ASX"}', { name: 'quote', symbol: 'BHP' }],
    ['announcements', '{"symbol":" $cba "}', { name: 'announcements', symbol: 'CBA' }],
    ['movers', '{"scanner":"preMarket"}', { name: 'movers', scanner: 'preMarket', limit: 10 }],
    ['movers', '{"scanner":"premarket","limit":"3"}', { name: 'movers', scanner: 'preMarket', limit: 3 }],
    [
      'movers',
      '{"scanner":"intraDaySmall","limit":0}',
      { name: 'movers', scanner: 'intraDaySmall', limit: 1 },
    ],
    ['calendar', '', { name: 'calendar' }],
    ['leaderboard', '{"anything":1}', { name: 'leaderboard' }],
  ];
  test.each(good)('%s %s', (name, text, input) => {
    expect(read(name, text)).toEqual({ ok: true, value: input } as ReturnType<typeof read>);
  });

  const wrong: [name: string, text: string, sentence: string][] = [
    ['Quote', '{"symbol":"BHP"}', 'There is no tool "Quote".'],
    ['quote', '{"symbol":""}', 'The argument "symbol" must be'],
    ['quote', '{"symbol":"../../etc"}', 'The argument "symbol" must be'],
    ['quote', '{"symbol":["BHP"]}', 'The argument "symbol" must be'],
    ['movers', '{}', 'The argument "scanner" must be one of preMarket, intraDaySmall,'],
    ['movers', '{"scanner":"custom"}', 'The argument "scanner" must be one of'],
    ['calendar', 'null', 'The arguments are no JSON object.'],
    ['calendar', `${'['.repeat(50)}${']'.repeat(50)}`, 'The arguments are no JSON object.'],
    ['calendar', `{"a":"${'x'.repeat(3000)}"}`, 'The arguments are no JSON object.'],
  ];
  test.each(wrong)('%s %s is wrong', (name, text, sentence) => {
    expect(read(name, text)).toEqual({ ok: false, error: expect.stringContaining(sentence) });
  });

  test('tools of another level are unknown', () => {
    expect(read('calendar', '{}', 0)).toEqual({
      ok: false,
      error: 'There is no tool "calendar". The tools are quote, leaderboard.',
    });
  });
});
