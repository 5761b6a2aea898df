import { afterEach, beforeEach } from 'bun:test';
import { createTestApp, type TestApp } from './testApp.ts';

/** The application of the running test: every test has its own, closed afterwards. */
export function eachApp(open: () => TestApp = createTestApp): TestApp {
  let app: TestApp;
  beforeEach(() => {
    app = open();
  });
  afterEach(() => app.close());
  return new Proxy({} as TestApp, { get: (_, member) => Reflect.get(app, member) as unknown });
}
