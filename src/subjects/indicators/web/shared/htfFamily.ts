import type { Family } from '../../../../market/indicators/rules/types.ts';
import type { CustomFamily } from './readCatalog.ts';

/** The custom family (htf_candle) in the shape of the others: it has parameters, but no timeframe and no delay. */
export const htfFamily = ({ label, fullName, params }: CustomFamily): Family => ({
  family: 'htf_candle',
  familySlug: 'htf_candle',
  label,
  fullName,
  params,
  defaultTimeframes: [],
  timeframes: [],
  tvPrefix: '',
  tvSuffix: '',
  separator: '',
  ignoreParam: null,
  delaysAvailable: [],
  type: 'price',
  hasTimeframes: false,
});
