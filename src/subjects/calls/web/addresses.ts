import { CALLS_PATH } from '#web/router/routes.ts';

/** The address of a call after '#'. */
export const callPath = (publicId: string): string => `${CALLS_PATH}/${encodeURIComponent(publicId)}`;

/** The address of a submitter's record after '#'. */
export const recordPath = (name: string): string => `${CALLS_PATH}/by/${encodeURIComponent(name)}`;

/** The address of the ledger of calls. */
export const LEDGER_PATH = `${CALLS_PATH}/ledger`;
