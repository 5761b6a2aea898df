import { Elysia } from 'elysia';
import type { Core, Part } from '../../../part.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Connections } from '../../../platform/http/connections.ts';
import { routeSchemas } from '../../../platform/http/contract.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { createUserLimit } from '../../../platform/http/requestLimits.ts';
import type { Audit } from '../../audit/server/service.ts';
import { SUPPORT } from '../contract.ts';
import type { SupportWriter } from './supportProcess.ts';

export type SupportPartNeeds = Pick<Connections, 'keepOpen'> & {
  auth: Auth;
  audit: Audit;
  write: SupportWriter;
};

/** Each costs a process. */
const MAX_A_MINUTE = 3;

/** The archive for a bug report, made and downloaded from the Admin Panel. */
export function createSupport(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { auth, audit, keepOpen, write }: SupportPartNeeds,
) {
  const limit = createUserLimit(clock, MAX_A_MINUTE, 'Too many support files.');
  let isBusy = false;
  async function make(): Promise<Uint8Array<ArrayBuffer>> {
    isBusy = true;
    try {
      const bytes = await write();
      if (bytes !== null) return bytes;
      log.child('support').error('A support file could not be made');
      throw new AppError(503, 'The support file could not be made. Run "bellbird support" on the server.');
    } finally {
      isBusy = false;
    }
  }
  const routes = () =>
    new Elysia({ name: 'support' }).use(auth).post(
      '/admin/support',
      async ({ user, request }) => {
        limit(user.id);
        if (isBusy) throw new AppError(409, 'Another support file is being made. Try again when it is done.');
        audit.record({ userId: user.id, action: 'download support file', target: 'support file' });
        keepOpen(request);
        const day = new Date(clock.now()).toISOString().slice(0, 10);
        return new Response(await make(), {
          headers: {
            'content-type': 'application/gzip',
            'content-disposition': `attachment; filename="bellbird-support-${day}.tar.gz"`,
            'cache-control': 'no-store',
          },
        });
      },
      { minLevel: 4, ...routeSchemas(SUPPORT['POST /api/admin/support']) },
    );
  return { name: 'support', routes } satisfies Part;
}
