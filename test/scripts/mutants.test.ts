import { expect, test } from 'bun:test';
import { mutantsIn, withMutant } from '../../scripts/mutations/mutants.ts';

const mutated = (source: string, path = 'a.ts'): string[] =>
  mutantsIn(path, source).map((mutant) => withMutant(source, mutant));

test('each operator, condition, value and statement gives a fault of its own', () => {
  expect(mutated('const a = b < c;')).toEqual(['const a = b <= c;']);
  expect(mutated('a(!b && c);').toSorted()).toEqual(['a(!b || c);', 'a(b && c);', '{}'].toSorted());
  expect(mutated('if (a) b = 1;')).toEqual(['if (!(a)) b = 1;', 'if (a) b = 2;']);
  expect(mutated('const a = <B on={true} />;', 'a.tsx')).toEqual(['const a = <B on={false} />;']);
});

test('texts that are joined, types and imports give none', () => {
  const source = "import { a } from 'b';\ntype C = 1 | true;\nconst d: 2 = a;\nconst e = 'f' + a + 'g';";
  expect(mutated(source)).toEqual([]);
});

test('the operator is found behind a comment that names it too', () => {
  expect(mutated('const a = (b) /* < */ < c;')).toEqual(['const a = (b) /* < */ <= c;']);
});
