import fc from 'fast-check';
import { isRecord } from '../../src/lib/json.ts';

type Path = readonly (string | number)[];

/** Every member and item of a JSON value, with the way to it; objects and lists come before what they hold. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  if (Array.isArray(value))
    return [...own, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))];
  if (!isRecord(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

/** The value with one member replaced; undefined takes it out. */
function withMember(value: unknown, [step, ...rest]: Path, member: unknown): unknown {
  if (step === undefined) return member;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? withMember(item, rest, member) : item));
  }
  if (!isRecord(value)) return value;
  return { ...value, [step]: withMember(value[step], rest, member) };
}

/** The value with every text, number, truth value and null replaced. */
function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change));
  if (!isRecord(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapLeaves(member, change)]));
}

/** The value with every object and list replaced, the innermost first. */
function mapBranches(value: unknown, change: (branch: object) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((item) => mapBranches(item, change)));
  if (!isRecord(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapBranches(member, change)])),
  );
}

const ISO = /^\d{4}-\d{2}-\d{2}T/;
const isEpoch = (leaf: unknown): leaf is number => typeof leaf === 'number' && leaf > 1e12;
const emptied = (branch: object): object => (Array.isArray(branch) ? [] : branch);

/** What another version may make of a whole answer, with a name each. */
const WHOLE: readonly [string, (answer: unknown) => unknown][] = [
  ['as specified', (answer) => answer],
  [
    'numbers as text',
    (answer) => mapLeaves(answer, (leaf) => (typeof leaf === 'number' ? String(leaf) : leaf)),
  ],
  [
    'text that is a number as number',
    (answer) =>
      mapLeaves(answer, (leaf) => (typeof leaf === 'string' && leaf && Number(leaf) ? Number(leaf) : leaf)),
  ],
  [
    'times as ISO text',
    (answer) => mapLeaves(answer, (leaf) => (isEpoch(leaf) ? new Date(leaf).toISOString() : leaf)),
  ],
  [
    'times as epoch',
    (answer) =>
      mapLeaves(answer, (leaf) => (typeof leaf === 'string' && ISO.test(leaf) ? Date.parse(leaf) : leaf)),
  ],
  ['nothing but nulls', (answer) => mapLeaves(answer, () => null)],
  [
    'members that nobody knows',
    (answer) =>
      mapBranches(answer, (branch) =>
        Array.isArray(branch) ? branch : { ...branch, novelty: { a: [1] }, actualStatus: { is: 'new' } },
      ),
  ],
  ['empty lists', (answer) => mapBranches(answer, emptied)],
  ['empty', () => ({})],
];

export type Variant = { name: string; answer: unknown };

/** The answer as specified, and in every form of `WHOLE`. */
export const wholeVariants = (answer: unknown): Variant[] =>
  WHOLE.map(([name, change]) => ({ name, answer: change(answer) }));

const WRONG: readonly unknown[] = [
  undefined,
  null,
  '',
  'text',
  '12.5',
  '2026-11-20T00:00:00Z',
  '2026-13-45',
  0,
  -1,
  12.5,
  8.64e15 + 1,
  1e300,
  true,
  false,
  [],
  ['x'],
  [null],
  {},
  { a: { b: 1 } },
];

/** The answer with one member missing or of another form, any of them; of an empty one the whole. */
export function memberVariants(answer: unknown): fc.Arbitrary<Variant> {
  const wrong = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WRONG) }, fc.jsonValue({ maxDepth: 2 }));
  const paths = pathsOf(answer);
  return fc.tuple(fc.constantFrom(...(paths.length === 0 ? [[]] : paths)), wrong).map(([path, member]) => ({
    name: `${path.join('.')} = ${JSON.stringify(member)}`,
    answer: withMember(answer, path, member),
  }));
}
