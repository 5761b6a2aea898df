import type { ChatPlatform, MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { hasDevices, isChosenDevice } from '#subjects/devices/rules/device.ts';
import { readDeviceAddress } from '#platform/push/rules/pushService.ts';
import type { Destinations } from './alert.ts';

/** A chat of a user that is confirmed and not broken, or a device of theirs. */
export type Destination = { platform: MessagePlatform; chatId: string };

/** A chat that its owner linked. */
type PlaceChat = {
  platform: ChatPlatform;
  isConfirmed: boolean;
  /** Why nothing can be delivered, a sentence; null while it can. */
  brokenReason: string | null;
};

/** A device of theirs. @property trouble why it takes nothing, a sentence; null while it does */
type PlaceDevice = { id: number; name: string; trouble: string | null };

/** All chats and devices of a user, working or not. */
export type Places = { chats: readonly PlaceChat[]; devices: readonly PlaceDevice[] };

/** Whether an alert is shown in the browser only. */
export const isNowhere = ({ telegram, discord, devices }: Readonly<Destinations>): boolean =>
  !telegram && !discord && !hasDevices(devices);

/** Whether an alert is sent there. @param named where it is sent */
export function isNamed({ platform, chatId }: Destination, named: Readonly<Destinations>): boolean {
  if (platform !== 'push') return named[platform];
  const device = readDeviceAddress(chatId);
  return device !== null && isChosenDevice(named.devices, device.id);
}
