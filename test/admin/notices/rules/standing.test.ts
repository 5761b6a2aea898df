import { describe, expect, test } from 'bun:test';
import { type Concern, MINUTE_MS } from '../../../../src/admin/notices/rules/concern.ts';
import {
  counting,
  readStandings,
  type Standing,
  stepStanding,
} from '../../../../src/admin/notices/rules/standing.ts';

const concern = (more: Partial<Concern> = {}): Concern => ({
  ...{
    key: 'prices',
    what: 'Prices',
    state: 'wrong',
    title: 'Down',
    detail: '',
    remedy: '',
    overTitle: 'Up',
  },
  ...{ afterMs: 5 * MINUTE_MS, overAfterMs: 10 * MINUTE_MS, isUrgent: true },
  ...more,
});

/** Plays one letter a minute: w wrong, . well, ? unknown, - unchecked. @returns what was told, by minute */
function told(minutes: string, more: Partial<Concern> = {}): string[] {
  const states = { w: 'wrong', '.': 'well', '?': 'unknown', '-': 'unchecked' } as const;
  let standing: Standing | null = null;
  return Array.from(minutes).flatMap((letter, minute) => {
    const state = states[letter as keyof typeof states];
    const step = stepStanding(concern({ ...more, state }), standing, 1e12 + minute * MINUTE_MS);
    standing = step.standing;
    return step.tell === null ? [] : [`${minute} ${step.tell}`];
  });
}

describe('what is wrong', () => {
  test('is told once, when it lasted', () => {
    expect(told('wwwwwwwwwwwwwww')).toEqual(['5 begin']);
    expect(told('wwwww')).toEqual([]);
  });
  test('is over once it was well for long enough, and is told once', () => {
    expect(told(`${'w'.repeat(6)}${'.'.repeat(20)}`)).toEqual(['5 begin', '16 over']);
  });
  test('that comes and goes is told once in all', () => {
    expect(told('wwww.'.repeat(20))).toEqual([]);
    expect(told(`${'w'.repeat(6)}${'....w'.repeat(20)}`)).toEqual(['5 begin']);
  });
  test('neither begins nor ends while it is not known', () => {
    expect(told('wwww????????wwww')).toEqual([]);
    expect(told(`${'w'.repeat(6)}${'?'.repeat(30)}`)).toEqual(['5 begin']);
    expect(told(`${'w'.repeat(6)}.....?.....?.........`)).toEqual(['5 begin']);
  });
  test('is told after a clock was set back, without a wait', () => {
    const was = { wrongSince: 2e12, wellSince: null, countsSince: null };
    const { standing } = stepStanding(concern(), was, 1e12);
    expect(standing?.wrongSince).toBe(1e12);
    expect(stepStanding(concern(), standing, 1e12 + 5 * MINUTE_MS).tell).toBe('begin');
  });
});

describe('what is made of parts', () => {
  /** Plays looks, each with the parts that are wrong then: capitals last. @returns what was told, by look */
  function toldOf(looks: readonly string[], was: Standing | null = null): string[] {
    let standing = was;
    return looks.flatMap((letters, look) => {
      const parts = Array.from(letters, (letter) => ({
        name: letter.toLowerCase(),
        lasts: letter !== letter.toLowerCase(),
      }));
      const state = letters === '' ? 'well' : 'wrong';
      const one = concern({ ...{ state, parts }, afterMs: 0, overAfterMs: 2 * MINUTE_MS });
      const step = stepStanding(one, standing, 1e12 + look * MINUTE_MS);
      const { standing: next } = step;
      const kept: unknown = JSON.parse(JSON.stringify({ it: next }));
      // While it is wrong, as another run reads it.
      standing = next?.wellSince === null ? (readStandings(kept).get('it') ?? next) : next;
      return step.tell === null ? [] : [`${look} ${step.tell}`];
    });
  }

  test('is told again once a part that nobody was told of lasts', () => {
    expect(toldOf(['A', 'Ab', 'Ab', 'AB', 'AB', 'ABC'])).toEqual(['0 begin', '3 more', '5 more']);
  });
  test('is not told again of what was named, or came back and went again', () => {
    expect(toldOf(['Ab', 'AB', 'A', 'AB', 'B', 'AB'])).toEqual(['0 begin']);
    expect(toldOf(['Ab', 'AB', 'ABc', 'A', 'AC', 'ABC'])).toEqual(['0 begin', '4 more']);
  });
  test('is over as a whole, and begins anew', () => {
    expect(toldOf(['A', 'AB', '', '', '', 'B'])).toEqual(['0 begin', '1 more', '4 over', '5 begin']);
  });
});

describe('over a restart', () => {
  test('what was told stays told, and what was not begins anew', () => {
    const kept = {
      a: { wrongSince: 1, wellSince: 5, countsSince: 2 },
      b: { wrongSince: 1, wellSince: null, countsSince: null },
    };
    expect([...readStandings(JSON.parse(JSON.stringify(kept)))]).toEqual([
      ['a', { wrongSince: 1, wellSince: null, countsSince: 2 }],
    ]);
  });
});

test('the list has what counts, the longest first, and of two stages the worse', () => {
  const counts = (wrongSince: number): Standing => ({ wrongSince, wellSince: null, countsSince: wrongSince });
  const standings = new Map([
    ['late', counts(30)],
    ['base', counts(10)],
    ['worse', counts(20)],
    ['new', { wrongSince: 1, wellSince: null, countsSince: null }],
  ]);
  const concerns = ['new', 'late', 'base'].map((key) => concern({ key }));
  const list = counting([...concerns, concern({ key: 'worse', stageOf: 'base' })], standings);
  expect(list.map((one) => one.concern.key)).toEqual(['worse', 'late']);
});
