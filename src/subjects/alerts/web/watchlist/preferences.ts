import type { WatchTable } from '../../rules/watchTable.ts';
import { readBoolean, readRecord, readText } from '../../../../lib/read.ts';
import type { SortState } from '../../../../../web/ui/table/types.ts';
import { readStored, writeStored } from '../../../../../web/shared/storage.ts';

/** How a user has left both tables sorted: stored in this browser. */
export type WatchSorts = Readonly<Record<WatchTable, SortState>>;

const KEY = 'bellbird.watchlist';
const BY_SYMBOL: SortState = { id: 'symbol', desc: false };
const IDS: Readonly<Record<WatchTable, readonly string[]>> = {
  preOpen: ['symbol', 'alerts', 'match_price', 'close', 'match_value'],
  trading: ['symbol', 'alerts', 'change_percent', 'last', 'close', 'relativeVolume'],
};

function sortOf(value: unknown, table: WatchTable): SortState {
  const { id, desc } = readRecord(value);
  const known = IDS[table].find((one) => one === readText(id));
  return known === undefined ? BY_SYMBOL : { id: known, desc: readBoolean(desc) ?? false };
}

/** The stored sorts; what is missing or makes no sense is by symbol. */
export function readSorts(): WatchSorts {
  const { preOpen, trading } = readRecord(readStored(KEY, (value) => value));
  return { preOpen: sortOf(preOpen, 'preOpen'), trading: sortOf(trading, 'trading') };
}

export const writeSorts = (sorts: WatchSorts): void => writeStored(KEY, sorts);
