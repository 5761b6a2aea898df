import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';

/** What *Test* sends. @param name the device's */
export const testMessage = (name: string): ChatMessage => ({
  title: 'Bellbird test',
  lines: [`Notifications arrive on “${name}”.`],
  link: null,
  page: '#/settings',
  buttons: [],
});
