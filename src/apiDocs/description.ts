import type { TSchema } from 'elysia';
import type { RouteContracts, RouteWords } from '../texts/routeContract.ts';
import { toldSchema } from '../platform/http/contract.ts';

/** What the declaration of a route without a contract doesn't say. */
export type RouteDescription = RouteWords & {
  /** The form of the request's body, where the route itself takes anything so that the rules can say what is wrong. */
  body?: TSchema;
  /** The form of the answer, where the route itself declares none that is checked. */
  answer?: TSchema;
  /** The forms of refusals that hold more than the sentence, by status. */
  refusalForms?: Readonly<Record<number, TSchema>>;
};

/** Descriptions by method and path, as in 'GET /api/calls/mine'. */
export type RouteDescriptions = Readonly<Record<string, RouteDescription>>;

/** Contracts as descriptions. What they say of answers and addresses stands in the routes' own schemas. */
export const describedBy = (contracts: RouteContracts): RouteDescriptions =>
  Object.fromEntries(
    Object.entries(contracts).map(([name, contract]) => {
      const { params: _p, query: _q, answer: _a, refusalForms: _f, body, ...inWords } = contract;
      return [name, body ? { ...inWords, body: toldSchema(body) } : inWords];
    }),
  );
