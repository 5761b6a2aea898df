import fc from 'fast-check';
import { isRecord } from '#lib/json.ts';
import type { AnyField, Form } from '#lib/contract/fields.ts';

const FROM = Date.parse('2020-01-01T00:00:00Z');
const UNTIL = Date.parse('2030-01-01T00:00:00Z');
const epochMs = fc.integer({ min: FROM, max: UNTIL });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const text = fc.string({ minLength: 1 }).map((given) => given.trim() || 'x');

function valuesOf(form: Form): fc.Arbitrary<unknown> {
  switch (form.is) {
    case 'text':
    case 'file':
      return text;
    case 'time':
      return epochMs.map((at) => new Date(at).toISOString());
    case 'date':
      return epochMs.map((at) => new Date(at).toISOString().slice(0, 10));
    case 'epochMs':
      return epochMs;
    case 'number':
    case 'numeric':
      return number;
    case 'integer':
      return fc.nat();
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'anything':
      return fc.jsonValue();
    case 'capitals':
      return text.map((given) => given.toUpperCase());
    case 'literal':
      return fc.constant(form.of);
    case 'choice':
      return fc.constantFrom(...form.of);
    case 'list':
      return fc.array(valuesOf(form.of), { maxLength: 3 });
    case 'map':
      return fc.dictionary(text, valuesOf(form.of), { maxKeys: 3 });
    case 'orNull':
      return fc.option(valuesOf(form.of));
    case 'optional':
    case 'named':
      return valuesOf(form.of);
    case 'sent': {
      const { minimum: min, maximum: max } = form.document;
      return form.of.is === 'integer' && min !== undefined && max !== undefined
        ? fc.integer({ min, max })
        : valuesOf(form.of);
    }
    case 'anyOf':
      return fc.oneof(...form.of.map(valuesOf));
    case 'object': {
      const members = Object.entries(form.of).map(([name, one]) => [name, valuesOf(one.form)] as const);
      return fc.record(Object.fromEntries(members));
    }
  }
}

/** Any values of a contract that this server may return. */
export const answersOf = ({ form }: AnyField): fc.Arbitrary<unknown> => valuesOf(form);

function bareOf(form: Form, value: unknown): unknown {
  if (form.is === 'orNull' || form.is === 'optional' || form.is === 'named' || form.is === 'sent') {
    return bareOf(form.of, value);
  }
  if (form.is === 'map' && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bareOf(form.of, one)]));
  }
  if (form.is === 'list' && Array.isArray(value)) return value.map((one) => bareOf(form.of, one));
  if (form.is !== 'object' || !isRecord(value)) return value;
  const named = Object.entries(form.of).filter(([name, { isExtension: isOurs }]) => !isOurs && name in value);
  return Object.fromEntries(named.map(([name, one]) => [name, bareOf(one.form, value[name])]));
}

/** An answer with only the specified members, the minimum from a server of another version. */
export const bareAnswer = ({ form }: AnyField, full: unknown): unknown => bareOf(form, full);

type Path = readonly (string | number)[];

/** Every member and item of a JSON value with its path; objects and lists come before their content. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  if (Array.isArray(value))
    return [...own, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))];
  if (!isRecord(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

/** The value with one member replaced; undefined removes it. */
function withMember(value: unknown, [step, ...rest]: Path, member: unknown): unknown {
  if (step === undefined) return member;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? withMember(item, rest, member) : item));
  }
  if (!isRecord(value)) return value;
  return { ...value, [step]: withMember(value[step], rest, member) };
}

const WRONG: readonly unknown[] = [
  undefined,
  null,
  '',
  'text',
  '12.5',
  '2026-11-20T00:00:00Z',
  '2026-13-45',
  'constructor',
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

/** The answer with any one member missing or malformed; an empty one is replaced whole. */
export function spoiledAnswers(answer: unknown): fc.Arbitrary<unknown> {
  const wrong = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WRONG) }, fc.jsonValue({ maxDepth: 2 }));
  const paths = pathsOf(answer);
  return fc
    .tuple(fc.constantFrom(...(paths.length === 0 ? [[]] : paths)), wrong)
    .map(([path, member]) => withMember(answer, path, member));
}
