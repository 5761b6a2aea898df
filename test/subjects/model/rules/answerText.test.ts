import { describe, expect, test } from 'bun:test';
import { answerText } from '../../../../src/subjects/model/rules/answerText.ts';

describe('a model’s answer with its lines', () => {
  const cases: [name: string, text: string, cleaned: string][] = [
    [
      'keeps lines and paragraphs',
      'BHP is at $50.60.\n\nup 1.7%\nsince Monday',
      'BHP is at $50.60.\n\nup 1.7%\nsince Monday',
    ],
    ['loses mark-up', '# Title\n**BHP** is `up`\n- one\n- two', 'Title\nBHP is up\none\ntwo'],
    ['keeps the text of a link alone', 'See [the release](https://evil.example/x).', 'See the release.'],
    ['loses addresses', 'Go to https://evil.example/a?b=c or WWW.evil.example', 'Go to or'],
    ['loses what is not seen', 'B\u202eHP\u0000 \u200bup', 'BHP up'],
    ['has at most one empty line in a row', 'a\n\n\n\n\r\nb', 'a\n\nb'],
    ['is empty when nothing is left', ' \n\u200b\t ', ''],
  ];
  for (const [name, text, cleaned] of cases) test(name, () => expect(answerText(text, 100)).toBe(cleaned));

  test('is cut at a whole word, in code points', () => {
    expect(answerText('one two three', 9)).toBe('one two…');
    expect([...answerText('🙂'.repeat(50), 10)]).toHaveLength(10);
  });

  test('of a megabyte of anything is bounded', () => {
    for (const piece of ['[', '](', '*', '#', 'www.', 'https://', '\n', ' ', '`', 'a ', '<a ']) {
      expect([...answerText(piece.repeat(1_000_000 / piece.length), 1500)].length).toBeLessThanOrEqual(1500);
    }
  });
});
