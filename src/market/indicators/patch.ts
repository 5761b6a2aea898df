import type { StockUpdate } from '../../domain/stock.ts';
import type { Place, Plan } from './plan.ts';

type Values = Record<string, Record<string, number | null>>;
/** As the Market takes it; a null at any level removes what is there. */
type Indicators = Record<string, Record<string, Record<string, number | null> | null> | null>;
type Patch = Pick<StockUpdate, 'indicators' | 'htf'>;

/** Collects the changed values of one stock. */
export const createPatch = () => {
  let indicators: Record<string, Values> | undefined;
  let htf: Values | undefined;
  return {
    set(place: Place, value: number | null): void {
      if (place.kind === 'htf') {
        htf ??= {};
        (htf[place.period] ??= {})[place.field] = value;
        return;
      }
      indicators ??= {};
      const byKey = (indicators[place.tf] ??= {});
      (byKey[place.key] ??= {})[place.valueKey] = value;
    },
    /** Null when nothing changed. */
    get(): Patch | null {
      if (!indicators && !htf) return null;
      return { ...(indicators && { indicators }), ...(htf && { htf }) };
    },
  };
};

const placesOf = (plan: Plan): Place[] =>
  plan.frames.flatMap((frame) => frame.outputs.map((output) => output.place));

/**
 * What takes away the values that one plan had and the next has not: the whole timeframe, key or single value, so that
 * no empty object stays behind. Null when nothing goes.
 */
export const removalOf = (before: Plan, after: Plan): Patch | null => {
  const left = new Set<string>();
  for (const place of placesOf(after)) {
    const path =
      place.kind === 'htf' ? ['htf', place.period, place.field] : [place.tf, place.key, place.valueKey];
    for (let depth = 1; depth <= path.length; depth += 1) left.add(path.slice(0, depth).join('/'));
  }
  const indicators: Indicators = {};
  const htf: Record<string, Record<string, null> | null> = {};
  for (const place of placesOf(before)) {
    if (place.kind === 'htf') {
      const { period, field } = place;
      if (!left.has(`htf/${period}`)) htf[period] = null;
      else if (!left.has(`htf/${period}/${field}`)) (htf[period] ??= {})[field] = null;
      continue;
    }
    const { tf, key, valueKey } = place;
    if (!left.has(tf)) indicators[tf] = null;
    else if (!left.has(`${tf}/${key}`)) (indicators[tf] ??= {})[key] = null;
    else if (!left.has(`${tf}/${key}/${valueKey}`)) {
      const byKey = (indicators[tf] ??= {});
      (byKey[key] ??= {})[valueKey] = null;
    }
  }
  const hasIndicators = after.frames.some((frame) => !frame.key.startsWith('htf:'));
  const hasHtf = after.frames.some((frame) => frame.key.startsWith('htf:'));
  const patch = {
    ...(Object.keys(indicators).length > 0 && { indicators: hasIndicators ? indicators : null }),
    ...(Object.keys(htf).length > 0 && { htf: hasHtf ? htf : null }),
  };
  // The record's type knows no removal of whole levels; the Market's merge patch does.
  return Object.keys(patch).length > 0 ? (patch as Patch) : null;
};

/** Seven digits: more than any column shows, few enough to keep the stream small. */
export const onWire = (value: number | null | undefined): number | null => {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  if (value === 0) return 0;
  const digits = 6 - Math.floor(Math.log10(Math.abs(value)));
  if (digits > 15) return 0;
  if (digits < 0) return Math.round(value);
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
};
