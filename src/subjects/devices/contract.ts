import { boolean, choice, numeric, text } from '#lib/contract/fields.ts';
import { sent, succeeded } from '#lib/contract/requests.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { actedAnswer, deviceAnswer, devicesAnswer } from './answers/devices.ts';
import { MAX_DEVICE_NAME } from './rules/device.ts';
import { NOTIFICATION_ACTIONS } from '#platform/push/rules/notification.ts';
import { MAX_ENDPOINT } from './rules/pushEndpoint.ts';

const MAX_KEY = 200;
const MAX_TOKEN = 200;

const params = object({ id: numeric });
const endpoint = sent(text, {
  maxLength: MAX_ENDPOINT,
  error: 'The browser gave no usable push subscription.',
});
const subscription = {
  endpoint,
  p256dh: sent(text, { maxLength: MAX_KEY }),
  auth: sent(text, { maxLength: MAX_KEY }),
};

const GONE = 'The device is no longer registered.';
const OFTEN = 'Too many changes in one minute.';
const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/example',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const example = { params: { id: '1' } };

export const DEVICES = {
  'GET /api/devices': {
    access: 1,
    tag: 'Devices',
    summary: 'List devices',
    description: 'Browsers subscribe with `publicKey`.',
    answer: devicesAnswer,
    example: {},
  },
  'POST /api/devices': {
    access: 1,
    tag: 'Devices',
    summary: 'Register this browser as a device',
    description:
      'Send the browser’s push subscription; a known subscription keeps its device. A user has at most ten devices, and logging out removes the device.',
    body: object(subscription),
    answer: deviceAnswer,
    refusals: { 429: OFTEN },
    example: { body: SUBSCRIPTION },
  },
  'PUT /api/devices/:id/subscription': {
    access: 1,
    tag: 'Devices',
    summary: 'Renew the push subscription of a device',
    description: 'Use this if the browser’s subscription changed. A removed device cannot be renewed.',
    params,
    body: object(subscription),
    answer: deviceAnswer,
    refusals: { 404: GONE, 429: OFTEN },
    example: { ...example, body: SUBSCRIPTION },
  },
  'PUT /api/devices/:id/name': {
    access: 1,
    tag: 'Devices',
    summary: 'Rename a device',
    params,
    body: object({ name: sent(text, { maxLength: MAX_DEVICE_NAME }) }),
    answer: deviceAnswer,
    refusals: { 404: GONE, 429: OFTEN },
    example: { ...example, body: { name: 'My phone' } },
  },
  'POST /api/devices/:id/test': {
    access: 1,
    tag: 'Devices',
    summary: 'Send a test message to a device',
    description: 'The result is `test` in the list of devices.',
    params,
    answer: deviceAnswer,
    refusals: { 404: GONE, 429: OFTEN },
    example,
  },
  'DELETE /api/devices/:id': {
    access: 1,
    tag: 'Devices',
    summary: 'Remove a device',
    description: 'Alerts still name the device, but nothing is sent to it.',
    params,
    answer: succeeded,
    refusals: { 404: GONE, 429: OFTEN },
    example,
  },
  'PUT /api/devices/broadcasts': {
    access: 1,
    tag: 'Devices',
    summary: 'Turn administrators’ messages to your devices on or off',
    body: object({ wanted: boolean }),
    answer: succeeded,
    refusals: { 429: OFTEN },
    example: { body: { wanted: false } },
  },
  'POST /api/devices/moved': {
    access: 'anyone',
    tag: 'Devices',
    summary: 'Report a changed push subscription',
    description: 'For service workers, which have no session. The former address authorises the change.',
    body: object({ former: endpoint, ...subscription }),
    answer: succeeded,
    refusals: { 404: GONE, 429: OFTEN },
    example: { body: { former: SUBSCRIPTION.endpoint, ...SUBSCRIPTION } },
  },
  'POST /api/devices/act': {
    access: 'anyone',
    tag: 'Devices',
    summary: 'Press a button of a notification',
    description:
      '`snooze` lasts 15 minutes, `today` until 07:00 Sydney. The token is in the notification and works for one day.',
    body: object({ token: sent(text, { maxLength: MAX_TOKEN }), action: choice(NOTIFICATION_ACTIONS) }),
    answer: actedAnswer,
    refusals: {
      404: 'The alert or device no longer exists, or the notification is older than one day.',
      429: OFTEN,
    },
    example: { body: { token: 'the-token-of-the-notification', action: 'snooze' } },
  },
} as const satisfies RouteContracts;
