import { eachTest } from './eachTest.ts';
import { createTestApp, type TestApp } from './testApp.ts';

/** The application of the running test: every test has its own, closed afterwards. */
export const eachApp = (open: () => TestApp = createTestApp): TestApp => eachTest(() => open());
