import { isRecord } from '../json.ts';
import type { Form, FormOptions } from './fields.ts';

/** Where a value does not match its form; `isTooMuch` if only its length is wrong. */
export type Misfit = { path: string; isTooMuch: boolean };

const wrong = (path: string): Misfit => ({ path, isTooMuch: false });
const within = (outer: string, inner: string): string => (outer === '' ? inner : `${outer}.${inner}`);

function isPlain(form: Form, value: unknown): boolean {
  switch (form.is) {
    case 'text':
    case 'capitals':
    case 'time':
    case 'date':
      return typeof value === 'string';
    case 'number':
    case 'numeric':
    case 'epochMs':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'literal':
      return value === form.of;
    case 'choice':
      return form.of.some((one) => one === value);
    default:
      return true;
  }
}

function excess(value: unknown, { maxLength, maxItems }: FormOptions, path: string): Misfit | null {
  const isLong = typeof value === 'string' && maxLength !== undefined && value.length > maxLength;
  const isMany = Array.isArray(value) && maxItems !== undefined && value.length > maxItems;
  return isLong || isMany ? { path, isTooMuch: true } : null;
}

type Place = readonly [form: Form, value: unknown, path: string];

function* inside(form: Form, value: unknown, path: string): Generator<Place> {
  if (form.is === 'list' && Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield [form.of, one, `${path}[${index}]`];
  } else if (form.is === 'map' && isRecord(value)) {
    for (const [name, one] of Object.entries(value)) yield [form.of, one, within(path, name.slice(0, 40))];
  } else if (form.is === 'object' && isRecord(value)) {
    for (const [name, { form: of }] of Object.entries(form.of)) {
      const isThere = Object.hasOwn(value, name);
      if (isThere || of.is !== 'optional') yield [of, isThere ? value[name] : undefined, within(path, name)];
    }
  }
}

/**
 * The first place where a value does not match its form. Unknown members and alternatives are not checked.
 * @param value JSON of limited depth
 * @returns null if it matches
 */
export function misfitOf(form: Form, value: unknown, path = ''): Misfit | null {
  if (form.is === 'sent') {
    return excess(value, form.check ?? {}, path) ?? misfitOf(form.checkedAs ?? form.of, value, path);
  }
  if (form.is === 'orNull') return value === null ? null : misfitOf(form.of, value, path);
  if (form.is === 'optional' || form.is === 'named') return misfitOf(form.of, value, path);
  if (form.is === 'list' && !Array.isArray(value)) return wrong(path);
  if ((form.is === 'object' || form.is === 'map') && !isRecord(value)) return wrong(path);
  if (!isPlain(form, value)) return wrong(path);
  for (const place of inside(form, value, path)) {
    const found = misfitOf(...place);
    if (found) return found;
  }
  return null;
}
