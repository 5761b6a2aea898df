import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';
import { customCatalog, indicatorCatalog, logic, ref, scan } from '../schemas.ts';

const refs = t.Array(ref);
const scanBody = t.Object({ name: t.String(), logic });
const scanAnswer = t.Object({ scan });
const RSI = { type: 'indicator', family: 'rsi', params: {}, tf: '60', valueKey: 'now' };
const RSI_SCAN = {
  name: 'Above 50 dollars',
  logic: {
    op: 'AND',
    conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 50 } }],
  },
};
const GONE = 'The scan does not exist any more.';

/** The catalog, and what a user chose of it. */
export const INDICATORS: RouteDescriptions = {
  'GET /api/indicators/catalog/tv': {
    tag: 'Indicators',
    summary: 'Read the catalog of indicators',
    answer: indicatorCatalog,
    example: {},
  },
  'GET /api/indicators/catalog/custom': {
    tag: 'Indicators',
    summary: 'Read the catalog of higher-timeframe candles',
    answer: customCatalog,
    example: {},
  },
  'GET /api/indicators/prefs': {
    tag: 'Indicators',
    summary: 'Read which indicators the custom scanner shows',
    answer: t.Object({ prefs: t.Object({ refs }) }),
    example: {},
  },
  'POST /api/indicators/prefs': {
    tag: 'Indicators',
    summary: 'Choose which indicators the custom scanner shows',
    body: t.Object({ refs }),
    answer: t.Object({ refs }),
    example: { body: { refs: [RSI] } },
  },
  'GET /api/indicators/scans': {
    tag: 'Indicators',
    summary: 'List the saved scans',
    answer: t.Object({ scans: t.Array(scan) }),
    example: {},
  },
  'POST /api/indicators/scans': {
    tag: 'Indicators',
    summary: 'Save a scan',
    body: scanBody,
    answer: scanAnswer,
    example: { body: RSI_SCAN },
  },
  'PUT /api/indicators/scans/:id': {
    tag: 'Indicators',
    summary: 'Change a saved scan',
    body: scanBody,
    answer: scanAnswer,
    refusals: { 404: GONE },
    example: { params: { id: '1' }, body: { ...RSI_SCAN, name: 'Dear' } },
  },
  'DELETE /api/indicators/scans/:id': {
    tag: 'Indicators',
    summary: 'Delete a saved scan',
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
};
