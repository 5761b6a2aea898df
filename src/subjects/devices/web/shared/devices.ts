import { computed, type ReadonlySignal } from '@preact/signals-react';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { Loader } from '#web/shared/loader.ts';
import { type device, devicesAnswer } from '#subjects/devices/answers/devices.ts';
import type { DeviceChoice } from '#subjects/devices/rules/device.ts';

/** A browser that shows the user's messages as notifications. */
export type Device = Known<typeof device>;
/** The user's devices, and what a browser needs to become one. */
export type OwnDevices = Known<typeof devicesAnswer>;

/** @throws ApiError with the sentence to show */
export const fetchDevices = (): Promise<OwnDevices> =>
  request('GET /api/devices', { read: readerOf(devicesAnswer) });

/** The same for who does well without: null where they could not be loaded. */
export async function devicesOrNone(): Promise<OwnDevices | null> {
  try {
    return await fetchDevices();
  } catch (problem) {
    console.warn('The devices could not be loaded.', problem);
    return null;
  }
}

const loader = new Loader(fetchDevices, 'Your devices could not be loaded.');

/** The user's devices; null until they are loaded. */
export const ownDevices: ReadonlySignal<OwnDevices | null> = loader.data;
/** Why they could not be loaded; null when they could. */
export const devicesError: ReadonlySignal<string | null> = computed(() => {
  const { data, error } = loader.state.value;
  return data === null ? error : null;
});
export const loadDevices = loader.load;
export const forgetDevices = loader.reset;
export const setDevices = loader.set;

/** Those that messages are sent to, or will be again. */
export const devicesInUse = (own: OwnDevices | null): Device[] =>
  own?.devices.filter(({ status }) => status !== 'gone') ?? [];

/** What a new alert is sent to: all devices, where there is one. */
export const newDeviceChoice = (own: OwnDevices | null): DeviceChoice =>
  devicesInUse(own).length > 0 ? 'all' : [];
