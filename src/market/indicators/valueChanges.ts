import type { Stock } from '../rules/stock.ts';
import type { Place } from './plan.ts';

type Indicators = NonNullable<Stock['indicators']>;
type Htf = NonNullable<Stock['htf']>;
type Values = Pick<Stock, 'indicators' | 'htf'>;

/** New values of a stock; `patch` is the merge patch that leads to its indicators, where it is known. */
export type NewValues = Values & { patch?: Indicators };

/** A copy of an object without one member; undefined when no other is left. */
function without<T>(object: Record<string, T>, key: string): Record<string, T> | undefined {
  const { [key]: _removed, ...rest } = object;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** A copy of an object with a member set, or removed when it is undefined; undefined when nothing is left. */
function withMember<T>(
  object: Record<string, T> | undefined,
  key: string,
  member: T | undefined,
): Record<string, T> | undefined {
  if (member !== undefined) return { ...object, [key]: member };
  return object && Object.hasOwn(object, key) ? without(object, key) : object;
}

const withHtf = (
  htf: Htf | undefined,
  { period, field }: { period: string; field: string },
  value: number | null,
): Htf | undefined =>
  withMember(htf, period, withMember(htf?.[period], field, value === null ? undefined : value));

/** The values of one timeframe: key → valueKey → value. */
type FrameValues = Indicators[string];

/** The timeframe whose values come at the moment: a copy of the stock's values, and the merge patch that led to it. */
type OpenFrame = { tf: string; values: FrameValues; patch: FrameValues };

function isAlone(values: Readonly<Record<string, unknown>>, key: string): boolean {
  for (const other in values) if (other !== key) return false;
  return true;
}

/** Nearly all values are those of now; a member that stands in the code makes half as large an object as a computed one. */
const onlyValue = (valueKey: string, value: number): FrameValues[string] =>
  valueKey === 'now' ? { now: value } : { [valueKey]: value };

function setValue({ values, patch }: OpenFrame, key: string, valueKey: string, value: number): void {
  const before = values[key];
  if (!before || isAlone(before, valueKey)) {
    values[key] = onlyValue(valueKey, value);
    patch[key] = values[key];
    return;
  }
  values[key] = { ...before, [valueKey]: value };
  patch[key] = { ...patch[key], [valueKey]: value };
}

function removeValue({ values }: OpenFrame, key: string, valueKey: string): void {
  const before = values[key];
  const rest = before && without(before, valueKey);
  if (rest) values[key] = rest;
  else delete values[key];
}

/**
 * Collects the new values of one stock beside those that stay. Objects that are shared with the record in the Market are
 * copied before they change.
 */
export class ValueChanges {
  private stock: Values = {};
  private htf: Htf | undefined;
  /** Copied once per stock: keys that look like numbers make an object slow to copy. */
  private indicators: Indicators | undefined;
  /** Values come timeframe after timeframe, so only one is open at a time. */
  private frame: OpenFrame | null = null;
  /** Null after a removal, which it does not hold. */
  private patch: Indicators | null = {};
  private changed = 0;

  /** Begins with the present values of a stock. One collector serves all stocks, one after the other. */
  begin(values: Values): void {
    this.stock = values;
    this.htf = values.htf;
    this.indicators = undefined;
    this.frame = null;
    this.patch = {};
    this.changed = 0;
  }

  /** Sets a value; null removes it, where there is one, and its branch with it when it was the last. */
  set(place: Place, value: number | null): void {
    if (value === null && !this.isThere(place)) return;
    this.changed += 1;
    if (place.kind === 'htf') {
      this.htf = withHtf(this.htf, place, value);
      return;
    }
    const open = this.openFrame(place.tf);
    if (value !== null) {
      setValue(open, place.key, place.valueKey, value);
      return;
    }
    removeValue(open, place.key, place.valueKey);
    this.patch = null;
  }

  /** How many values were set or removed since `begin`. */
  count(): number {
    return this.changed;
  }

  /** The stock's values with all changes; null when there were none. */
  result(): NewValues | null {
    this.closeFrame();
    if (this.changed === 0) return null;
    const { htf, patch, indicators } = this;
    const all = indicators ?? this.stock.indicators;
    const isEmpty = !all || Object.keys(all).length === 0;
    return {
      ...(!isEmpty && { indicators: all }),
      ...(htf && { htf }),
      ...(patch && indicators && { patch }),
    };
  }

  private isThere(place: Place): boolean {
    if (place.kind === 'htf') return this.htf?.[place.period]?.[place.field] !== undefined;
    const values = this.frame?.tf === place.tf ? this.frame.values : this.valuesOf(place.tf);
    return values?.[place.key]?.[place.valueKey] !== undefined;
  }

  private valuesOf(tf: string): FrameValues | undefined {
    return (this.indicators ?? this.stock.indicators)?.[tf];
  }

  private openFrame(tf: string): OpenFrame {
    if (this.frame?.tf === tf) return this.frame;
    this.closeFrame();
    this.frame = { tf, values: { ...this.valuesOf(tf) }, patch: {} };
    return this.frame;
  }

  private closeFrame(): void {
    if (this.frame === null) return;
    const { tf, values, patch } = this.frame;
    this.indicators ??= { ...this.stock.indicators };
    if (Object.keys(values).length > 0) this.indicators[tf] = values;
    else delete this.indicators[tf];
    if (this.patch) this.patch[tf] = patch;
    this.frame = null;
  }
}
