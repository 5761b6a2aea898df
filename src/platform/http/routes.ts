import { type AnyElysia, Elysia, type ElysiaCustomStatusResponse } from 'elysia';
import type { AnyField, Wire } from '#lib/contract/fields.ts';
import type { RouteContract, RouteContracts } from '#texts/routeContract.ts';
import type { Auth, AuthUser } from './auth.ts';
import { routeSchemas } from './contract.ts';

type Sent<F> = F extends AnyField
  ? F extends { isOptional: true }
    ? Wire<F> | undefined
    : Wire<F>
  : undefined;
type UserBy<Access> = Access extends 'anyone'
  ? undefined
  : Access extends 'visitor'
    ? AuthUser | null
    : AuthUser;

type Refused = ElysiaCustomStatusResponse<number, unknown>;

export type Asked<R extends RouteContract> = {
  request: Request;
  user: UserBy<R['access']>;
  params: Sent<R['params']>;
  query: Sent<R['query']>;
  body: Sent<R['body']>;
  /** Makes a refusal with more members, in the contract's form. */
  status: <S extends keyof R['refusalForms'] & number>(
    status: S,
    body: Wire<NonNullable<R['refusalForms']>[S]>,
  ) => Refused;
};

/** An answer in the contract's form, or a response: a file, a stream, encoded bytes. */
type Answer<R extends RouteContract> = Wire<R['answer']> | Response | Refused;
type Handle<R extends RouteContract> = (asked: Asked<R>) => Answer<R> | Promise<Answer<R>>;
type Handler<R extends RouteContract> =
  | Handle<R>
  | {
      readonly handle: Handle<R>;
      /** Throws to refuse a caller before the body is checked. */
      readonly admit?: (request: Request) => void;
      readonly isRaw?: true;
    };

type AnyHandle = (asked: never) => unknown;
type AnyHandler =
  | AnyHandle
  | (Omit<Exclude<Handler<RouteContract>, AnyHandle>, 'handle'> & { handle: AnyHandle });

export type Route = { readonly name: string; readonly contract: RouteContract; readonly handler: AnyHandler };

export const serve = <C extends RouteContracts>(
  contracts: C,
  handlers: { readonly [N in keyof C]?: Handler<C[N]> },
): Route[] =>
  Object.entries<AnyHandler>(handlers as Record<string, AnyHandler>).map(([name, handler]) => {
    const contract = contracts[name];
    if (!contract) throw new TypeError(`No contract for the route ${name}`);
    return { name, contract, handler };
  });

const accessOf = ({ access, isStream }: RouteContract) =>
  access === 'anyone' || access === 'visitor'
    ? { [access]: true }
    : { [isStream ? 'streamLevel' : 'minLevel']: access };

/** Calls `admit` before the body is parsed, or before the check if there is no body. */
function admitting(admit: (request: Request) => void) {
  const check = ({ request }: { request: Request }): void => admit(request);
  return { parse: check, transform: check };
}

export function routesPlugin(auth: Auth, routes: readonly Route[]): AnyElysia {
  const plugin: AnyElysia = new Elysia({ name: 'routes' }).use(auth);
  for (const { name, contract, handler } of routes) {
    const cut = name.indexOf(' ');
    const { handle, admit, isRaw } =
      typeof handler === 'function' ? { handle: handler, admit: undefined, isRaw: undefined } : handler;
    const hooks: object = {
      ...accessOf(contract),
      ...routeSchemas(contract),
      ...(admit ? admitting(admit) : {}),
      ...(isRaw ? { parse: 'none' } : {}),
    };
    plugin.route(name.slice(0, cut), name.slice(cut + 1), handle as () => unknown, hooks);
  }
  return plugin;
}
