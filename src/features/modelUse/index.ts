import type { Core, Part } from '../../part.ts';
import { createModelUseService } from './service.ts';
import { modelUseStore } from './store.ts';

/** How often people may ask the model, and what it cost. */
export const createModelUse = ({ db, clock }: Pick<Core, 'db' | 'clock'>) =>
  ({
    name: 'modelUse',
    service: createModelUseService({ store: modelUseStore(db), clock }),
  }) satisfies Part;
