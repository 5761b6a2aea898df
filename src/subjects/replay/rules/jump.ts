import type { ReplayInfo } from '#market/rules/stream.ts';
import { formatTime } from '#texts/format.ts';

const clockText = (time: number): string => `${formatTime(time)} Sydney time`;

/** Why a time is not in the recording, as a sentence; null if it is. @param time epoch ms by the market's clock */
export function jumpProblem({ from, until }: ReplayInfo, time: number): string | null {
  const span = `It runs from ${clockText(from)} to ${clockText(until)}.`;
  if (time < from) return `That time is before the recording begins. ${span}`;
  return time > until ? `That time is after the recording ends. ${span}` : null;
}
