import { text, words } from './fields.ts';
import { object } from './objects.ts';
import { sent } from './requests.ts';

/** A one-time address of a file: good for a minute, without a session. */
export const downloadAnswer = object({ url: words }, ['url']);

/** What that address is asked by. */
export const ticketQuery = object({ ticket: sent(text, { default: '', maxLength: 200 }) });
