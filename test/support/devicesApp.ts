import type { DeviceView } from '#subjects/devices/server/service.ts';
import type { TestApp, TestRequest } from './testApp.ts';

/** A subscription as a browser sends it, with a key that is a point on the curve. */
export const subscriptionOf = (name: string) => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
});

type Caller = Pick<TestRequest, 'as' | 'headers'>;

async function deviceFrom(
  app: TestApp,
  method: string,
  path: string,
  { as = 'free', headers = {} }: Caller,
  body?: unknown,
): Promise<DeviceView> {
  const answer = await app.request(method, `/api/devices${path}`, { as, headers, body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return (answer.json as { device: DeviceView }).device;
}

export const addDeviceOf = (app: TestApp, name: string, caller: Caller = {}): Promise<DeviceView> =>
  deviceFrom(app, 'POST', '/', caller, subscriptionOf(name));

export const renewDeviceOf = (app: TestApp, id: number, name: string, caller: Caller = {}) =>
  deviceFrom(app, 'PUT', `/${id}/subscription`, caller, subscriptionOf(name));

export async function devicesOf(app: TestApp, as: TestRequest['as'] = 'free'): Promise<DeviceView[]> {
  const answer = await app.request('GET', '/api/devices/', { as });
  return (answer.json as { devices: DeviceView[] }).devices;
}
