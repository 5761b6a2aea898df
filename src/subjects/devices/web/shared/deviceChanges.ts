import { messageOf, readerOf, request } from '#web/api/client.ts';
import { deviceAnswer } from '#subjects/devices/answers/devices.ts';
import { type Device, type OwnDevices, ownDevices, setDevices } from './devices.ts';
import { forgetHere, thisDeviceId } from './thisBrowser.ts';

/** Does a change. @returns why it was not done; null when it was */
async function whyNot(change: () => Promise<void>, fallback: string): Promise<string | null> {
  try {
    await change();
    return null;
  } catch (problem) {
    return messageOf(problem, fallback);
  }
}

function replace(device: Device | null): void {
  const own = ownDevices.peek();
  if (own === null || device === null) return;
  setDevices({ ...own, devices: own.devices.map((one) => (one.id === device.id ? device : one)) });
}

/** @returns why no test was sent; null when it is on its way */
export const testDevice = ({ id }: Device): Promise<string | null> =>
  whyNot(async () => {
    const { device } = await request('POST /api/devices/:id/test', {
      params: { id },
      read: readerOf(deviceAnswer),
    });
    replace(device);
  }, 'The test could not be sent. Try again.');

/** @returns why it was not renamed; null when it was */
export const renameDevice = ({ id }: Device, name: string): Promise<string | null> =>
  whyNot(async () => {
    const { device } = await request('PUT /api/devices/:id/name', {
      params: { id },
      body: { name },
      read: readerOf(deviceAnswer),
    });
    replace(device);
  }, 'The device could not be renamed. Try again.');

/** @returns why it was not removed; null when it was */
export const removeDevice = ({ id }: Device): Promise<string | null> =>
  whyNot(async () => {
    await request('DELETE /api/devices/:id', { params: { id } });
    const own = ownDevices.peek();
    if (own) setDevices({ ...own, devices: own.devices.filter((one) => one.id !== id) });
    if (id === thisDeviceId()) await forgetHere();
  }, 'The device could not be removed. Try again.');

/** Shown at once, and taken back where the server refuses. @returns why it was not changed; null when it was */
export function chooseAdminMessages(own: OwnDevices, wanted: boolean): Promise<string | null> {
  setDevices({ ...own, adminMessages: wanted });
  return whyNot(async () => {
    try {
      await request('PUT /api/devices/broadcasts', { body: { wanted } });
    } catch (problem) {
      const now = ownDevices.peek();
      if (now) setDevices({ ...now, adminMessages: !wanted });
      throw problem;
    }
  }, 'That could not be saved. Try again.');
}
