import { describe, expect, test } from 'bun:test';
import { cleanAnswer } from '../../../src/domain/model/answerText.ts';

describe('a model’s answer as plain text', () => {
  const cases: [name: string, text: string, cleaned: string][] = [
    ['stays as it is', 'BHP is at $50.60.\n\n- up 1.7%', 'BHP is at $50.60.\n\n- up 1.7%'],
    ['loses mark-up', '# Title\n**BHP** is `up`\n```json\n{}\n```', 'Title\nBHP is up\n\n{}'],
    ['keeps the text of a link alone', 'See [the release](https://evil.example/x).', 'See the release.'],
    ['loses addresses', 'Go to https://evil.example/a?b=c now', 'Go to (link removed) now'],
    ['loses addresses without a scheme', 'or WWW.evil.example', 'or (link removed)'],
    ['loses what is not seen', 'B\u202eHP\u0000 \u200bup\u001b[31m', 'BHP up[31m'],
    ['has at most one empty line in a row', 'a\n\n\n\n\r\nb', 'a\n\nb'],
    ['is empty when nothing is left', ' \n\u200b\t ', ''],
    ['mends half a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ];
  for (const [name, text, cleaned] of cases) test(name, () => expect(cleanAnswer(text, 100)).toBe(cleaned));

  test('is cut at a whole word, in code points', () => {
    expect(cleanAnswer('one two three', 9)).toBe('one two…');
    expect([...cleanAnswer('🙂'.repeat(50), 10)]).toHaveLength(10);
  });

  test('of a megabyte of anything is cleaned at once', () => {
    for (const piece of ['[', '](', '*', '#', 'www.', 'https://', '\n', ' ', '`', 'a ']) {
      const begun = process.cpuUsage();
      expect([...cleanAnswer(piece.repeat(1_000_000 / piece.length), 1500)].length).toBeLessThanOrEqual(1500);
      const { user, system } = process.cpuUsage(begun);
      expect((user + system) / 1000).toBeLessThan(1000);
    }
  });
});
