import { choice, epochMs, integer, list, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { always, object, optional, extension } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { readCount } from '#lib/read.ts';
import { LIST_SIDES, readScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { logic, ref } from '#subjects/conditions/answers/logic.ts';

/** Answer of `GET /api/indicators/prefs` (specification 7.2): the selected indicators. */
export const prefsAnswer = object({ prefs: always(object({ refs: list(ref) })) });
export const refsAnswer = object({ refs: list(ref) });

const chosenList = { side: choice(LIST_SIDES), id: orNull(integer) };
const scanLists = readBy(object({ ...chosenList, name: orNull(text) }), readScanLists);
export const sentScanLists = readBy(
  described(
    object({
      ...chosenList,
      name: optional(orNull(described(text, 'Set by the server; ignored in requests.'))),
    }),
    'Limits the scan to stocks that are on your watchlists, or are not; a null `id` means any watchlist. Null means all stocks, and an omitted value is not changed.',
  ),
  readScanLists,
);

const time = extension(or(described(epochMs, 'Milliseconds since 1970.'), 0));
const members = {
  id: readBy(integer, readCount),
  name: text,
  logic,
  lists: extension(orNull(scanLists)),
  createdAt: time,
  updatedAt: time,
};
// A scan whose conditions are unreadable is ignored.
const keptScan = object(members, ['id', 'logic']);
/** `problem` is a sentence about what no longer exists. */
const listedScan = object({ ...members, problem: extension(orNull(text)) }, ['id', 'logic']);

const withName = <S extends { id: number; name: string | null }>(scan: S | null) =>
  scan && { ...scan, name: scan.name ?? `Scan ${scan.id}` };

export const scansAnswer = object({
  scans: list(readBy(listedScan, (value) => withName(listedScan.read(value)))),
});
/** Answer of `POST /api/indicators/scans` and `PUT /api/indicators/scans/:id`: the scan as stored. */
export const keptScanAnswer = object({
  scan: readBy(keptScan, (value) => withName(keptScan.read(value))),
});
