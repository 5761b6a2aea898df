import { expect, test } from 'bun:test';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestAppOptions,
  type TestRequest,
} from './testApp.ts';

/** One request of one caller, and everything that must be true of the answer. */
export type Scenario = TestRequest & {
  /** Says who calls, for instance "guest" or "premium user". */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  app?: TestAppOptions;
  /** Prepares the application; may change what is sent. */
  setup?(app: TestApp): void | TestRequest | Promise<void | TestRequest>;
  status: number;
  /** The whole body, compared exactly. */
  json?: unknown;
  /** Texts that must stand in the body. */
  contains?: readonly string[];
  /** Texts that must not. */
  absent?: readonly string[];
  /** Looks further; `errors` counts the error lines that were logged. */
  after?(app: TestApp, answer: TestAnswer): void | Promise<void>;
  /** Error lines that the request may log; none unless it says so. */
  loggedErrors?: number;
};

/** Runs each scenario as a test of its own against a fresh application. */
export function scenarios(list: readonly Scenario[]): void {
  for (const scenario of list) {
    test(scenario.name, async () => {
      const app = createTestApp(scenario.app);
      try {
        const changed = (await scenario.setup?.(app)) ?? {};
        const answer = await app.request(scenario.method, scenario.url, { ...scenario, ...changed });
        expect({ status: answer.status, body: answer.text }).toMatchObject({ status: scenario.status });
        if (scenario.json !== undefined) expect(answer.json).toEqual(scenario.json);
        for (const text of scenario.contains ?? []) expect(answer.text).toContain(text);
        for (const text of scenario.absent ?? []) expect(answer.text).not.toContain(text);
        if (answer.status >= 400) {
          expect(answer.json).toMatchObject({ error: expect.stringMatching(/^[A-Z].{9,}/) });
        }
        const errors = app.lines.filter((line) => line.level === 'error');
        expect(errors.length).toBe(scenario.loggedErrors ?? 0);
        await scenario.after?.(app, answer);
      } finally {
        app.close();
      }
    });
  }
}
