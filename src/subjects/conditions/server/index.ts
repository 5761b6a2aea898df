import { Elysia } from 'elysia';
import type { Inspection } from '#lib/inspection.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { CONDITIONS } from '../contract.ts';
import { type PhraseDeps, PhraseReader } from './service.ts';

export type PhraseNeeds = Pick<Connections, 'keepOpen'> & { auth: Auth } & Omit<PhraseDeps, 'clock'>;

/** Phrases that a model reads, where the grammar of the pages does not understand all of them. */
export function createPhrases(core: Pick<Core, 'clock'>, { auth, keepOpen, ...needs }: PhraseNeeds) {
  const service = new PhraseReader({ ...needs, clock: core.clock });
  return {
    name: 'phrases',
    service,
    routes: () =>
      new Elysia({ name: 'phrases' }).use(auth).post(
        '/conditions/read',
        ({ user, body, request }) => {
          // Nothing is sent until the model has answered.
          keepOpen(request);
          return service.read(user, body, request.signal);
        },
        { minLevel: 3, ...routeSchemas(CONDITIONS['POST /api/conditions/read']) },
      ),
    stop: () => service.stop(),
    inspect: (): Inspection => ({
      label: 'Phrases read by the model',
      description: 'Conditions in words that the model is reading at this moment.',
      summary: { model: needs.model?.name ?? null, ...service.counts() },
      data: () => service.counts(),
    }),
  } satisfies Part;
}
