import { afterAll, expect, test } from 'bun:test';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestAppOptions,
  type TestRequest,
} from './testApp.ts';

/** One request of one caller, and everything that must be true of the answer. */
export type Scenario = TestRequest & {
  /** The caller, for instance "guest" or "premium user". */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  app?: TestAppOptions;
  /** Prepares the application; may change the request. */
  setup?(app: TestApp): void | TestRequest | Promise<void | TestRequest>;
  status: number;
  /** The whole body, compared exactly. */
  json?: unknown;
  contains?: readonly string[];
  absent?: readonly string[];
  /** Further checks; `errors` counts the logged error lines. */
  after?(app: TestApp, answer: TestAnswer): void | Promise<void>;
  /** Error lines that the request may log; none by default. */
  loggedErrors?: number;
};

/** An application with the request changes of its preparation, and the number of log lines checked. */
type Fixture = { app: TestApp; changed: TestRequest; linesSeen: number };

async function prepared({ app: options, setup }: Scenario): Promise<Fixture> {
  const app = createTestApp(options);
  try {
    return { app, changed: (await setup?.(app)) ?? {}, linesSeen: 0 };
  } catch (error) {
    app.close();
    throw error;
  }
}

async function play(scenario: Scenario, fixture: Fixture): Promise<void> {
  const { app, changed } = fixture;
  const answer = await app.request(scenario.method, scenario.url, { ...scenario, ...changed });
  expect({ status: answer.status, body: answer.text }).toMatchObject({ status: scenario.status });
  if (scenario.json !== undefined) expect(answer.json).toEqual(scenario.json);
  for (const text of scenario.contains ?? []) expect(answer.text).toContain(text);
  for (const text of scenario.absent ?? []) expect(answer.text).not.toContain(text);
  if (answer.status >= 400) {
    expect(answer.json).toMatchObject({ error: expect.stringMatching(/^[A-Z`].{9,}/) });
  }
  const errors = app.lines.slice(fixture.linesSeen).filter((line) => line.level === 'error');
  fixture.linesSeen = app.lines.length;
  expect(errors.length).toBe(scenario.loggedErrors ?? 0);
  await scenario.after?.(app, answer);
}

/** Whether a request changes nothing, so that the next one finds the same state. */
const leavesNothing = ({ method, status, after, loggedErrors }: Scenario): boolean =>
  (method === 'GET' || status >= 400) && !after && !loggedErrors;

const isPreparedLike = (a: Scenario, b: Scenario): boolean => a.app === b.app && a.setup === b.setup;

/**
 * Runs each scenario as its own test: on a fresh application or, if it only reads or is refused, on one that it shares with others in the list with
 * the same preparation.
 */
export function scenarios(list: readonly Scenario[]): void {
  const shared = new Map<Scenario, Promise<Fixture>>();
  afterAll(async () => {
    // The scenarios themselves report a failed preparation, which closed its application.
    for (const one of await Promise.allSettled(shared.values())) {
      if (one.status === 'fulfilled') one.value.app.close();
    }
    shared.clear();
  });
  const sharedFixture = (scenario: Scenario): Promise<Fixture> => {
    const first = list.find((one) => leavesNothing(one) && isPreparedLike(one, scenario)) ?? scenario;
    const fixture = shared.get(first) ?? prepared(first);
    shared.set(first, fixture);
    return fixture;
  };
  for (const scenario of list) {
    test(scenario.name, async () => {
      if (leavesNothing(scenario)) {
        await play(scenario, await sharedFixture(scenario));
        return;
      }
      const fixture = await prepared(scenario);
      try {
        await play(scenario, fixture);
      } finally {
        fixture.app.close();
      }
    });
  }
}
