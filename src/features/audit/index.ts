import type { Core, Part } from '../../part.ts';
import { createAuditService } from './service.ts';

/** Who of the administrators did what, and when. */
export const createAudit = ({ db, clock }: Pick<Core, 'db' | 'clock'>) =>
  ({ name: 'audit', service: createAuditService({ db, clock }) }) satisfies Part;
