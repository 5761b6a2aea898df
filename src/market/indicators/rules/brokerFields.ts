import type { FieldOption } from './types.ts';

/** Fields of a stock for columns and conditions (specification, section 3). `pips` is derived. */
export const BROKER_FIELDS: readonly FieldOption[] = [
  { key: 'last', label: 'Last' },
  { key: 'close', label: 'P. Close' },
  { key: 'open', label: 'Open' },
  { key: 'high', label: 'High' },
  { key: 'low', label: 'Low' },
  { key: 'volume', label: 'Volume' },
  { key: 'value', label: 'Value' },
  { key: 'pips', label: 'Pips' },
  { key: 'match_price', label: 'Match' },
  { key: 'match_vol', label: 'Match Volume' },
];
