import type { AnyElysia } from 'elysia';
import type { About } from '../platform/install/about.ts';
import { createDocument } from './document.ts';
import { KEYS } from '../texts/routeContract.ts';
import { levelText, type Operation } from './operation.ts';
import { pageOf, PAGE_STYLE } from './page.ts';

export type MadeDocs = { json: string; html: string; policy: string; etag: string };

const whoOf = ({ 'x-level': level, security }: Operation): string => {
  const [scheme] = Array.isArray(security) ? (security as Record<string, unknown>[]) : [];
  const isKeyed = scheme !== undefined && Object.keys(KEYS).some((name) => name in scheme);
  return isKeyed ? 'Key' : levelText(Number(level));
};

/** Document and page of an application, as they are sent. Costs some tens of milliseconds. */
export function makeDocs(app: AnyElysia, about: Pick<About, 'version'>): MadeDocs {
  const document = createDocument(app, about);
  const json = JSON.stringify(document);
  const html = pageOf(document, whoOf);
  const style = new Bun.CryptoHasher('sha256').update(PAGE_STYLE).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { json, html, policy, etag: Bun.hash(json + html).toString(36) };
}
