import { humanSize } from '../../../lib/humanSize.ts';
import type { ChatMessage } from '../../../subjects/chats/rules/chatMessage.ts';

const message = (title: string, lines: readonly string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

/** Tells administrators that the disk is low. */
export const lowDiskMessage = (freeBytes: number): ChatMessage =>
  message('Bellbird’s disk is almost full', [
    `${humanSize(freeBytes)} left on its data disk. Once it is full, nothing can be saved: no alerts, no calls.`,
    'Delete what you don’t need, such as old backups. You will get one more message when there is room again.',
  ]);

/** Tells administrators that there is room again. */
export const enoughDiskMessage = (freeBytes: number): ChatMessage =>
  message('Bellbird’s disk has room again', [`${humanSize(freeBytes)} free.`]);

/** Tells administrators that no backup could be made. @param reason a sentence */
export const backupFailedMessage = (reason: string): ChatMessage =>
  message('Bellbird could not make its nightly backup', [
    reason,
    'It tries again every hour. You will get one more message once a backup is made.',
  ]);

/** Tells administrators that backups are made again. */
export const backupMadeMessage = (): ChatMessage =>
  message('Bellbird is making backups again', ['The nightly backup was made and checked.']);
