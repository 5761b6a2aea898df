import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';

/* A separate script that the stream worker fetches for the first market overview, because every first page loads
   the worker. */

Object.assign(globalThis, { createOverviews });
