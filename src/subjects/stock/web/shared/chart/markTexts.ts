import type { ChartData, ChartMark } from '#market/bars/rules/chart.ts';
import { formatTime } from '#texts/format.ts';
import { BAR_MS, isDated } from './axisTime.ts';
import { placeMarks } from './chartMarks.ts';
import { layOut } from './chartSlots.ts';

export const MARK_NAMES: Readonly<Record<ChartMark['kind'], string>> = {
  announcement: 'Announcement',
  sensitive: 'Price sensitive',
  auction: 'Auction',
  trigger: 'Alert',
  entry: 'Entry',
  exit: 'Exit',
  level: 'Level',
  correction: 'Correction',
};

/** What stands for a mark where its shape can't be drawn; the letters are those of the drawing (`MARK_LOOKS`). */
export const MARK_SIGNS: Readonly<Record<ChartMark['kind'], string>> = {
  announcement: 'N',
  sensitive: '$',
  auction: 'A',
  trigger: '▼',
  entry: '▲ Entry',
  exit: '▼ Exit',
  level: '●',
  correction: 'Corrected',
};

const shortMark = ({ kind, text, time }: ChartMark, tf: ChartData['tf']): string =>
  `${isDated(tf) ? '' : `${formatTime(time)} `}${MARK_NAMES[kind]}: ${text}`;

const PARTIAL = 'The beginning was not seen, so the open is unknown';

/** What happened at a bar: its marks, and the halts and unknown stretches that it borders on. */
export function markTexts(data: ChartData, bar: number): string[] {
  const time = data.bars.time[bar];
  if (time === undefined) return [];
  const texts: string[] = data.partial?.includes(time) ? [PARTIAL] : [];
  if (data.marks && data.marks.length > 0) {
    const slots = layOut(data.bars, data.tf, []);
    for (const { slot, mark } of placeMarks(slots, data)) {
      if (slots.bar[slot] === bar) texts.push(shortMark(mark, data.tf));
    }
  }
  if (isDated(data.tf)) return texts;
  const end = time + BAR_MS[data.tf];
  for (const { from, until, title } of data.shades ?? []) {
    if (from <= end && until >= time) texts.push(`${title} ${formatTime(from)}–${formatTime(until)}`);
  }
  for (const { from, until } of data.unknown) {
    if (from <= end && until >= time) texts.push(`Not known ${formatTime(from)}–${formatTime(until)}`);
  }
  return texts;
}
