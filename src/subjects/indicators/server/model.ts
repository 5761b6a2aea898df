import { t } from 'elysia';
import { HTF_FIELDS, HTF_PERIODS } from '../../../market/indicators/rules/htfCandle.ts';
import type { Ref } from '../../conditions/rules/operand.ts';
import { MAX_SCAN_NAME_LENGTH } from '../../scanners/rules/scanName.ts';
import type { Param } from '../../../market/indicators/rules/types.ts';
import type { TvCatalogAnswer } from './catalog.ts';
import type { ListedScan, ScanView } from '../../conditions/rules/savedScan.ts';

export type CustomCatalogAnswer = {
  catalog: {
    families: Record<
      'htf_candle',
      { family: 'htf_candle'; label: string; fullName: string; params: readonly Param[] }
    >;
    version: number;
  };
};

const choice = (name: string, label: string, values: readonly string[]): Param => ({
  name,
  label,
  type: 'enum',
  values,
  default: values[0] ?? null,
  required: true,
  readOnly: false,
  allowNone: false,
});

/** The one custom family (specification 3). */
export const CUSTOM_CATALOG: CustomCatalogAnswer = {
  catalog: {
    families: {
      htf_candle: {
        family: 'htf_candle',
        label: 'HTF candle',
        fullName: 'Higher-timeframe candle',
        params: [choice('period', 'Period', HTF_PERIODS), choice('field', 'Price', HTF_FIELDS)],
      },
    },
    version: 1,
  },
};

// Made by the server from checked values: typed for the client, not walked through again for every answer.
export const tvCatalog = t.Unsafe<TvCatalogAnswer>(t.Any());
export const customCatalog = t.Unsafe<CustomCatalogAnswer>(t.Any());
export const prefsAnswer = t.Unsafe<{ prefs: { refs: Ref[] } }>(t.Any());
export const refsAnswer = t.Unsafe<{ refs: Ref[] }>(t.Any());
export const scansAnswer = t.Unsafe<{ scans: ScanView[] }>(t.Any());
export const scanAnswer = t.Unsafe<{ scan: ListedScan }>(t.Any());

export const refsBody = t.Object({ refs: t.Array(t.Unknown(), { maxItems: 400 }) });
export const scanBody = t.Object({
  name: t.String({ default: '', maxLength: 4 * MAX_SCAN_NAME_LENGTH }),
  logic: t.Unknown(),
});
export const scanParams = t.Object({ id: t.Numeric() });
export const removed = t.Object({ success: t.Literal(true) });
export const catalogStatus = t.Object({ fetchedAt: t.Number(), totalIndicators: t.Number() });
