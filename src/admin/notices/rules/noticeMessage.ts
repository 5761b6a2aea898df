import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { dayText } from './dayText.ts';
import type { Concern } from './concern.ts';
import type { Standing } from './standing.ts';

const PAGE = '#/admin';

const message = (title: string, lines: string[], publicUrl: string | null): ChatMessage => ({
  title: `Bellbird: ${title}`,
  lines: lines.filter((line) => line !== ''),
  link: publicUrl === null ? null : { text: 'Open the Admin Panel', url: `${publicUrl}/${PAGE}` },
  page: PAGE,
  buttons: [],
});

/** Tells administrators that something is wrong. */
export const beginMessage = ({ title, detail, remedy }: Concern, publicUrl: string | null): ChatMessage =>
  message(title, [detail, remedy, 'You will get one more message when it is over.'], publicUrl);

/** Tells them that more is wrong than they were told. */
export const moreMessage = (concern: Concern, publicUrl: string | null): ChatMessage =>
  beginMessage({ ...concern, title: concern.moreTitle ?? concern.title }, publicUrl);

/** Tells them that it is over, and since when it was wrong. @param now epoch ms */
export const overMessage = (
  { title, overTitle }: Concern,
  { wrongSince }: Pick<Standing, 'wrongSince'>,
  now: number,
  publicUrl: string | null,
): ChatMessage =>
  message(overTitle, [`“${title}” is over. It was so since ${dayText(wrongSince, now)} Sydney.`], publicUrl);
