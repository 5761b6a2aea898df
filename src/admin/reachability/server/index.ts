import { listTarget } from '#platform/install/shared/jobProcess.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import { createModel } from '#platform/model/index.ts';
import { REACHABILITY } from '../contract.ts';
import { bad, type CheckResult, good } from '#lib/checkResult.ts';
import { runProbe } from '#lib/httpClient/probe.ts';
import type { Model } from '#platform/model/model.ts';
import {
  askForOneToken,
  freeProbes,
  MODEL_REMEDY,
  TARGET_TRIAL,
  targetFinding,
} from '#admin/selfCheck/server/service.ts';
import type { Connection, ConnectionTest } from '../answers/reachability.ts';

const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

type Trial = Connection & { run(): Promise<CheckResult> };

async function askModel(model: Model): Promise<CheckResult> {
  const what = 'Model';
  const error = await askForOneToken(model);
  return error === null ? good(what, `${model.name} answers.`) : bad(what, error.message, MODEL_REMEDY);
}

function trialsOf(app: App, model: Model | null): Trial[] {
  const { config, clock } = app;
  const trials: Trial[] = freeProbes(config, clock.now()).map((probe) => ({
    key: keyOf(probe.what),
    name: probe.what,
    tries: probe.tries,
    costs: false,
    run: async () => (await runProbe(probe, app)).result,
  }));
  if (model !== null) {
    const tries = `Asks ${model.name} for one token.`;
    trials.push({ key: 'model', name: 'Model', tries, costs: true, run: () => askModel(model) });
  }
  const { place } = config.backup;
  if (place !== null) {
    const key = keyOf(TARGET_TRIAL.name);
    trials.push({ ...TARGET_TRIAL, key, costs: false, run: () => targetFinding(place, listTarget(app)) });
  }
  return trials;
}

/** Tests connections to the configured servers, one at a time. */
class Reachability {
  #isBusy = false;

  readonly #model: Model | null;

  constructor(private readonly app: App) {
    this.#model = createModel(app);
  }

  list(): Connection[] {
    return trialsOf(this.app, this.#model).map(({ key, name, tries, costs }) => ({
      key,
      name,
      tries,
      costs,
    }));
  }

  /**
   * @param begin called just before the test
   * @returns null if no such connection is configured, 'busy' while another test runs
   */
  async test(key: string, begin: (connection: Connection) => void): Promise<ConnectionTest | 'busy' | null> {
    const { clock, redactor } = this.app;
    const trial = trialsOf(this.app, this.#model).find((one) => one.key === key);
    if (!trial) return null;
    if (this.#isBusy) return 'busy';
    begin(trial);
    this.#isBusy = true;
    const began = clock.monotonic();
    try {
      const { state, says, remedy } = await trial.run();
      const tookMs = Math.round(clock.monotonic() - began);
      return { state, says: redactor.text(says), remedy: redactor.text(remedy ?? ''), tookMs };
    } finally {
      this.#isBusy = false;
    }
  }
}

const MAX_TESTS_A_MINUTE = 12;

export function createReachability(app: App) {
  const { clock, audit } = app;
  const service = new Reachability(app);
  const limit = createUserLimit(clock, MAX_TESTS_A_MINUTE, 'Too many tests.');
  const routes = () =>
    serve(REACHABILITY, {
      'GET /api/admin/connections': () => ({ connections: service.list() }),
      'POST /api/admin/connections/:key/test': async ({ user, params: { key } }) => {
        limit(user.id);
        const test = await service.test(key, ({ name, costs }) => {
          if (costs) audit.record({ userId: user.id, action: 'test connection', target: name });
        });
        if (test === null) throw new AppError(404, 'There is no such connection. Reload the list.');
        if (test === 'busy')
          throw new AppError(409, 'Another test is running. Try again when it has finished.');
        return test;
      },
    });
  return { name: 'reachability', service, routes } satisfies Part;
}
