import type { App } from '#platform/app.ts';

type Given = { [Name in keyof App]?: Partial<App[Name]> };

/** An app with only the members that a test gives. */
export const appOf = (given: Given): App => given as App;

/** A service with only the members that a test gives. */
export const standIn = <T>(given: Partial<NoInfer<T>>): T => given as T;
