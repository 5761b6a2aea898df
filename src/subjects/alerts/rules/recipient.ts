import { type DeviceChoice, hasDevices, isChosenDevice } from '#subjects/devices/rules/device.ts';
import type { ChatPlatform, MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { readDeviceAddress } from '#platform/push/rules/pushService.ts';

/** Where an alert is sent in addition to open pages: all chats of a platform, and devices. */
export type Destinations = Record<ChatPlatform, boolean> & { devices: DeviceChoice };

export type Destination = { platform: MessagePlatform; chatId: string };

type PlaceChat = {
  platform: ChatPlatform;
  isConfirmed: boolean;
  brokenReason: string | null;
};

/** @property trouble why the device does not accept messages, as a sentence; null if it does */
type PlaceDevice = { id: number; name: string; trouble: string | null };

/** All chats and devices of a user, working or not. */
export type Places = { chats: readonly PlaceChat[]; devices: readonly PlaceDevice[] };

/** Whether an alert is shown in the browser only. */
export const isNowhere = ({ telegram, discord, devices }: Readonly<Destinations>): boolean =>
  !telegram && !discord && !hasDevices(devices);

export function isNamed({ platform, chatId }: Destination, named: Readonly<Destinations>): boolean {
  if (platform !== 'push') return named[platform];
  const device = readDeviceAddress(chatId);
  return device !== null && isChosenDevice(named.devices, device.id);
}
