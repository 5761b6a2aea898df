import type { Stock } from '../../domain/market/stock.ts';
import type { Place, IndicatorPlan } from './plan.ts';

type Indicators = NonNullable<Stock['indicators']>;
type Htf = NonNullable<Stock['htf']>;
type Values = Pick<Stock, 'indicators' | 'htf'>;

/** A copy of an object without one member; undefined when nothing is left. */
function without<T>(object: Record<string, T>, key: string): Record<string, T> | undefined {
  const { [key]: _gone, ...rest } = object;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** Takes an inner object, or a whole branch when it is undefined, in or out. */
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
type OfFrame = Indicators[string];

/** New values of a stock; `patch` is the merge patch that leads to its indicators, where it is known. */
export type NewValues = Values & { patch?: Indicators };

function isAlone(values: Readonly<Record<string, unknown>>, key: string): boolean {
  for (const other in values) if (other !== key) return false;
  return true;
}

/**
 * Collects the new values of one stock beside those that stay. Objects that are shared with the record in the Market are
 * copied before they change; a value that became unknown is taken out, and its branch with it when it was the last.
 */
export function createValuesDraft() {
  let stock: Values = {};
  let htf: Htf | undefined;
  /** Copied once: its keys are numbers mostly, which makes it slow to copy. */
  let indicators: Indicators | undefined;
  /** The timeframe whose values come now: they come frame after frame. */
  let tf: string | null = null;
  let frame: OfFrame = {};
  let frameChanges: OfFrame = {};
  let changes: Indicators | null = {};
  let isChanged = false;

  const close = (): void => {
    if (tf === null) return;
    indicators ??= { ...stock.indicators };
    if (Object.keys(frame).length > 0) indicators[tf] = frame;
    else delete indicators[tf];
    if (changes) changes[tf] = frameChanges;
    tf = null;
  };

  const open = (next: string): void => {
    close();
    tf = next;
    frame = { ...(indicators ?? stock.indicators)?.[next] };
    frameChanges = {};
  };

  const setValue = (key: string, valueKey: string, value: number): void => {
    const known = frame[key];
    if (!known || isAlone(known, valueKey)) {
      frame[key] = { [valueKey]: value };
      frameChanges[key] = frame[key];
      return;
    }
    frame[key] = { ...known, [valueKey]: value };
    frameChanges[key] = { ...frameChanges[key], [valueKey]: value };
  };

  const removeValue = (key: string, valueKey: string): void => {
    const known = frame[key];
    const left = known && without(known, valueKey);
    if (left) frame[key] = left;
    else delete frame[key];
    changes = null;
  };

  return {
    /** Starts anew with what a stock has: one draft serves all stocks, one after the other. */
    begin(next: Values): void {
      stock = next;
      htf = next.htf;
      indicators = undefined;
      tf = null;
      changes = {};
      isChanged = false;
    },
    set(place: Place, value: number | null): void {
      isChanged = true;
      if (place.kind === 'htf') {
        htf = withHtf(htf, place, value);
        return;
      }
      if (place.tf !== tf) open(place.tf);
      if (value === null) removeValue(place.key, place.valueKey);
      else setValue(place.key, place.valueKey, value);
    },
    /** Null when nothing changed. */
    get(): NewValues | null {
      close();
      if (!isChanged) return null;
      const all = indicators ?? stock.indicators;
      const isEmpty = !all || Object.keys(all).length === 0;
      return {
        ...(!isEmpty && { indicators: all }),
        ...(htf && { htf }),
        ...(changes && indicators && { patch: changes }),
      };
    },
  };
}

export type ValuesDraft = ReturnType<typeof createValuesDraft>;

const placesOf = (plan: IndicatorPlan): Place[] =>
  plan.frames.flatMap((frame) => frame.outputs.map((output) => output.place));

/** The places that one plan had and the next has not. */
export function removalOf(before: IndicatorPlan, after: IndicatorPlan): Place[] {
  const left = new Set(placesOf(after).map((place) => JSON.stringify(place)));
  return placesOf(before).filter((place) => !left.has(JSON.stringify(place)));
}

const FACTORS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/** Seven digits: more than any column shows, few enough to keep the stream small. */
export function onWire(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size >= 1e6) return Math.round(value);
  if (size < 1e-8) return 0;
  let digits = 6;
  for (let limit = 10; size >= limit; limit *= 10) digits -= 1;
  for (let limit = 1; size < limit; limit /= 10) digits += 1;
  const factor = FACTORS[digits] ?? 1;
  return Math.round(value * factor) / factor;
}
