import { readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { SECURITIES, type Securities } from '#market/rules/securities.ts';

const KEY = 'bellbird.market.securities';

/** Which securities the page counts; undefined counts all. Kept in this browser. */
export const keptSecurities = (): Securities | undefined => {
  const kept = readStored(KEY, readText);
  return SECURITIES.find(({ id }) => id !== undefined && id === kept)?.id;
};

export const keepSecurities = (securities: Securities | undefined): void =>
  writeStored(KEY, securities ?? null);
