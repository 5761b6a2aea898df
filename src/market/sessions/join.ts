import { folderOf } from '#lib/dayFiles.ts';
import { framed, partsIn, sessionFiles } from './files.ts';
import { coverageOf, readStocks, SessionWriter } from './parts.ts';

/** Joins the parts of a recorded session into a whole one, which is smaller and faster to read. */
export function joinSession(folder: string, source: string, date: string): void {
  const files = sessionFiles(folder);
  const own = folderOf(source);
  const bytes = files.read(own, date);
  const parts = bytes ? partsIn(bytes) : [];
  if (parts.length === 0) return;
  const { hours, covered } = coverageOf(parts);
  const writer = new SessionWriter(true);
  for (const stock of readStocks(parts)) writer.add(stock, stock.everything());
  const part = writer.part({ hours, covered });
  files.replace(own, date, framed(part));
}
