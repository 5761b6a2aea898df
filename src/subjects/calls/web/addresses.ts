import { CALLS_PATH } from '../../../../web/router/routes.ts';

/** The address of a call after '#'. */
export const callPath = (publicId: string): string => `${CALLS_PATH}/${encodeURIComponent(publicId)}`;

/** The address of a submitter's record after '#'. */
export const recordPath = (name: string): string => `${CALLS_PATH}/by/${encodeURIComponent(name)}`;
