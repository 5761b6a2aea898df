import { describe, expect, test } from 'bun:test';
import { lastLines, shownText } from '../../../../src/admin/logs/rules/logTail.ts';

describe('the text of a log', () => {
  test('shows what can not be seen, and keeps tabs, lines and every script', () => {
    expect(shownText('a\tb\nc\u0000\u001b[0m\u202ed\u200f')).toBe('a\tb\nc\ufffd\ufffd[0m\ufffdd\ufffd');
    expect(shownText('日本 äöü 𝄞')).toBe('日本 äöü 𝄞');
  });

  test.each([
    ['', 3, ''],
    ['a\n', 3, 'a\n'],
    ['a\nb\nc\n', 2, 'b\nc\n'],
    ['a\nb\nc', 2, 'b\nc'],
    ['a\nb\nc\n', 3, 'a\nb\nc\n'],
    ['\n\n\n', 1, '\n'],
    ['\nb\n', 2, '\nb\n'],
    ['\nb\n', 1, 'b\n'],
  ])('of %j the last %d lines are %j', (text, limit, expected) => {
    expect(lastLines(text, limit)).toBe(expected);
  });
});
