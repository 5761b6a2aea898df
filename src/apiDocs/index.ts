import type { AnyElysia } from 'elysia';
import type { About } from '../platform/install/about.ts';
import { type Route, serve } from '../platform/http/routes.ts';
import { API_DOCS } from './contract.ts';
import { isNotModified } from '../lib/http.ts';
import type { Part } from '#platform/app.ts';
import type { MadeDocs } from './document.ts';

type Sent = { type: string; body: string; etag: string; policy?: string };

function send(request: Request, { type, body, etag, policy }: Sent): Response {
  const headers = {
    'content-type': type,
    'cache-control': 'no-cache',
    etag,
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  };
  if (isNotModified(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

/**
 * GET /openapi and GET /openapi/json. Both are public, because the code in every browser reveals the same, and scripts
 * read them before they have a token.
 * @param app the routes to describe; read at the first request, so that the start is not delayed
 */
function routesOf(app: AnyElysia, about: Pick<About, 'version'>): Route[] {
  let made: Promise<MadeDocs> | undefined;
  const docs = (): Promise<MadeDocs> => {
    made ??= import('./document.ts').then(({ makeDocs }) => makeDocs(app, about));
    return made;
  };
  return serve(API_DOCS, {
    'GET /openapi': async ({ request }) => {
      const { html: body, etag, policy } = await docs();
      return send(request, { type: 'text/html; charset=utf-8', body, etag: `"${etag}-page"`, policy });
    },
    'GET /openapi/json': async ({ request }) => {
      const { json: body, etag } = await docs();
      return send(request, { type: 'application/json', body, etag: `"${etag}"` });
    },
  });
}

export const createApiDocs = (about: Pick<About, 'version'>) =>
  ({ name: 'apiDocs', routes: (app: AnyElysia) => routesOf(app, about) }) satisfies Part;
