import { createGlances } from '#subjects/glance/rules/glances.ts';

/*
 * A script of its own, which the worker that holds the stream fetches once a window asks how the market stands as a whole:
 * every first page needs that worker, and not this.
 */

Object.assign(globalThis, { createGlances });
