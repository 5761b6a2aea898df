import type { DayFiles } from '#lib/dayFiles.ts';

export function historyInMemory(): DayFiles {
  const kept = new Map<string, Map<string, Uint8Array>>();
  return {
    folders: () => [...kept.keys()],
    dates: (folder) => [...(kept.get(folder)?.keys() ?? [])].toSorted().toReversed(),
    read: (folder, date, from, to) => kept.get(folder)?.get(date)?.subarray(from, to) ?? null,
    write(folder, date, at, bytes) {
      const days = kept.get(folder) ?? new Map<string, Uint8Array>();
      days.set(date, Buffer.concat([(days.get(date) ?? new Uint8Array()).subarray(0, at), bytes]));
      kept.set(folder, days);
    },
    size: (folder, date) => kept.get(folder)?.get(date)?.length ?? 0,
    replace(folder, date, bytes) {
      kept.set(folder, (kept.get(folder) ?? new Map<string, Uint8Array>()).set(date, bytes));
    },
    remove: (folder, date) => void kept.get(folder)?.delete(date),
    removeFolder: (folder) => void kept.delete(folder),
  };
}
