import { readNumber, readRecord, readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';

/** The list that was shown or added to last in this browser. */
export type LastList = { id: number; name: string };

const KEY = 'bellbird.list';

function listOf(value: unknown): LastList | null {
  const { id, name } = readRecord(value);
  const known = readNumber(id);
  return known === null ? null : { id: known, name: readText(name) ?? '' };
}

/** Null before there is one. */
export const lastList = (): LastList | null => readStored(KEY, listOf);

export function keepLastList(list: LastList | null): void {
  writeStored(KEY, list && { id: list.id, name: list.name });
}
