import { afterEach, beforeEach } from 'bun:test';

/** What each test of a file opens, closed after it. */
export function eachTest<T extends { close(): unknown }>(open: () => T | Promise<T>): T {
  let opened: T;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  return new Proxy({} as T, { get: (_, member) => Reflect.get(opened, member) as unknown });
}
