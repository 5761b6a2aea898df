import { type ReadonlySignal, signal } from '@preact/signals-react';
import { request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { type NoticesAnswer, noticesAnswer } from '#admin/notices/answers/notices.ts';

const count = signal(0);

/** How many notices there are, by the last answer of the server. */
export const noticeCount: ReadonlySignal<number> = count;

export const NOTICES_EVERY_MS = 60_000;

/** What is wrong with the server, and how everything stands that it checks. */
export async function fetchNotices(): Promise<NoticesAnswer> {
  const answer = await request('GET /api/admin/notices', { read: readerOf(noticesAnswer) });
  count.value = answer.notices.length;
  return answer;
}
