import { accountKey } from './accountRules.ts';

/** What tells the demo accounts of one browser from those of others: it ends their names. */
export const DEMO_MARK = /^[0-9a-f]{12}$/;

const MARKED = /-[0-9a-f]{12}$/;

/** Whether a demo account of this name is one browser's own, made by the button on the login page. */
export const isBrowserDemo = (username: string): boolean => MARKED.test(accountKey(username));
