import { byRules, sent, succeeded, unchecked } from '#lib/contract/requests.ts';
import { list, numeric, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { logic, ref } from '../conditions/answers/logic.ts';
import { MAX_SCAN_NAME_LENGTH } from '../conditions/rules/savedScan.ts';
import { catalogStatus, customCatalog, platformCatalog } from './answers/catalog.ts';
import { keptScanAnswer, prefsAnswer, refsAnswer, scansAnswer, sentScanLists } from './answers/scans.ts';

const params = object({ id: numeric });
const RSI = { type: 'indicator', family: 'rsi', params: {}, tf: '60', valueKey: 'now' };
const SCAN = {
  name: 'Above 50 dollars',
  logic: {
    op: 'AND',
    conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 50 } }],
  },
  lists: { side: 'on', id: null },
};
const GONE = 'The scan no longer exists.';

/** `checkLogic` checks the conditions. */
const scanBody = object({
  name: sent(text, { default: '', maxLength: 4 * MAX_SCAN_NAME_LENGTH }, {}),
  logic: byRules(logic),
  lists: byRules(optional(orNull(sentScanLists))),
});

/** Routes of catalogs, selected indicators, and saved scans, which are not in the specification. */
export const INDICATORS = {
  'GET /api/indicators/catalog/tv': {
    access: 1,
    tag: 'Indicators',
    summary: 'List indicators',
    answer: unchecked(platformCatalog),
    example: {},
  },
  'GET /api/indicators/catalog/custom': {
    access: 1,
    tag: 'Indicators',
    summary: 'List higher-timeframe candles',
    answer: unchecked(customCatalog),
    example: {},
  },
  'GET /api/indicators/prefs': {
    access: 1,
    tag: 'Indicators',
    summary: 'List the indicators of the custom scanner',
    answer: unchecked(prefsAnswer),
    example: {},
  },
  'POST /api/indicators/prefs': {
    access: 1,
    tag: 'Indicators',
    summary: 'Choose the indicators of the custom scanner',
    body: object({ refs: sent(list(byRules(ref)), { maxItems: 400 }, {}) }),
    answer: unchecked(refsAnswer),
    example: { body: { refs: [RSI] } },
  },
  'GET /api/indicators/scans': {
    access: 1,
    tag: 'Indicators',
    summary: 'List saved scans',
    answer: unchecked(scansAnswer),
    example: {},
  },
  'POST /api/indicators/scans': {
    access: 1,
    tag: 'Indicators',
    summary: 'Save a scan',
    body: scanBody,
    answer: unchecked(keptScanAnswer),
    example: { body: SCAN },
  },
  'PUT /api/indicators/scans/:id': {
    access: 1,
    tag: 'Indicators',
    summary: 'Change a saved scan',
    params,
    body: scanBody,
    answer: unchecked(keptScanAnswer),
    refusals: { 404: GONE },
    example: { params: { id: '1' }, body: { ...SCAN, name: 'Dear' } },
  },
  'DELETE /api/indicators/scans/:id': {
    access: 1,
    tag: 'Indicators',
    summary: 'Delete a saved scan',
    params,
    answer: succeeded,
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
  'GET /api/admin/indicators/catalog/tv/status': {
    access: 4,
    tag: 'Administration',
    summary: 'Read the status of the indicator catalog',
    answer: catalogStatus,
    example: {},
  },
  'POST /api/admin/indicators/catalog/tv/refresh': {
    access: 4,
    tag: 'Administration',
    summary: 'Refresh the indicator catalog',
    answer: catalogStatus,
    refusals: { 502: 'The platform returned no usable list. The old catalog is kept.' },
    example: {},
  },
} as const satisfies RouteContracts;
