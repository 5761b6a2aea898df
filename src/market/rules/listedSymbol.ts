import { text } from '#lib/contract/fields.ts';
import { sent } from '#lib/contract/requests.ts';
import { NOT_IN_LIVE_LIST } from './liveSymbols.ts';

/** A symbol of the live list, as a request's body names it; whether it is listed is for the rules to say. */
export const listedSymbol = sent(text, { default: '', maxLength: 40, error: NOT_IN_LIVE_LIST });
