import type { App } from '#platform/app.ts';

/** The members of an app that a test provides, each with only what it needs. */
export type Given = {
  [Name in keyof App]?: App[Name] extends (...args: never) => unknown ? App[Name] : Partial<App[Name]>;
};

/** An app with only the members that a test provides. */
export const appOf = (given: Given): App => given as App;

export const standIn = <T>(given: Partial<NoInfer<T>>): T => given as T;
