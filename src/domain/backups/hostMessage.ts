import { humanSize } from '../../lib/humanSize.ts';
import type { ChatMessage } from '../chats/chatMessage.ts';

const message = (title: string, lines: readonly string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

/** Tells administrators that the disk is low. */
export const lowDiskMessage = (freeBytes: number): ChatMessage =>
  message('The disk of Bellbird is almost full', [
    `${humanSize(freeBytes)} are left where its data lies. Once it is full, nothing can be saved: no alerts, no calls.`,
    'Delete what is not needed, old backups for instance. You get one more message when there is room again.',
  ]);

/** Tells administrators that there is room again. */
export const enoughDiskMessage = (freeBytes: number): ChatMessage =>
  message('The disk of Bellbird has room again', [`${humanSize(freeBytes)} are free.`]);

/** Tells administrators that no backup could be made. @param reason a sentence */
export const backupFailedMessage = (reason: string): ChatMessage =>
  message('Bellbird could not make its nightly backup', [
    reason,
    'It is tried again every hour. You get one more message when a backup was made.',
  ]);

/** Tells administrators that backups are made again. */
export const backupMadeMessage = (): ChatMessage =>
  message('Bellbird makes its backups again', ['The nightly backup was made and checked.']);
