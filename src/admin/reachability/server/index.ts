import { listTarget } from '#platform/install/shared/jobProcess.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import { createModel } from '#platform/model/index.ts';
import { REACHABILITY } from '../contract.ts';
import type { Config } from '#src/config/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import { bad, type Finding, good } from '#lib/finding.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { runProbe } from '#lib/httpClient/probe.ts';
import type { Redactor } from '#lib/redact.ts';
import type { JobRunner } from '#platform/install/shared/jobProcess.ts';
import type { Model } from '#platform/model/model.ts';
import {
  askForOneToken,
  freeProbes,
  MODEL_REMEDY,
  TARGET_TRIAL,
  targetFinding,
} from '#admin/selfCheck/server/service.ts';
import type { Connection, ConnectionTest } from '../answers/reachability.ts';

type ReachabilityDeps = {
  config: Config;
  http: HttpClient;
  clock: SystemClock;
  redactor: Redactor;
  /** Runs `list-target`. */
  runList: JobRunner;
  /** Null where none is set. */
  model: Model | null;
};

const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** What can be tried, and how. */
type Trial = Connection & { run(): Promise<Finding> };

async function askModel(model: Model): Promise<Finding> {
  const what = 'Model';
  const error = await askForOneToken(model);
  return error === null ? good(what, `${model.name} answers.`) : bad(what, error.message, MODEL_REMEDY);
}

function targetTrials({ config, runList }: ReachabilityDeps): Trial[] {
  const { place } = config.backup;
  if (place === null) return [];
  const key = keyOf(TARGET_TRIAL.name);
  return [{ ...TARGET_TRIAL, key, costs: false, run: () => targetFinding(place, runList) }];
}

function trialsOf(deps: ReachabilityDeps): Trial[] {
  const { config, http, clock, model } = deps;
  const free = freeProbes(config, clock.now()).map((probe) => ({
    key: keyOf(probe.what),
    name: probe.what,
    tries: probe.tries,
    costs: false,
    run: async () => (await runProbe(probe, { http, clock })).finding,
  }));
  const rest = targetTrials(deps);
  if (model === null) return [...free, ...rest];
  const tries = `Asks ${model.name} for one token.`;
  const asked = { key: 'model', name: 'Model', tries, costs: true, run: () => askModel(model) };
  return [...free, asked, ...rest];
}

/** Tries the other servers that are set up, one at a time. */
class Reachability {
  #isBusy = false;

  constructor(private readonly deps: ReachabilityDeps) {}

  list(): Connection[] {
    return trialsOf(this.deps).map(({ key, name, tries, costs }) => ({ key, name, tries, costs }));
  }

  /**
   * @param begin called when it is certain that it is tried
   * @returns null for a name of nothing that is set up, 'busy' while another is tried
   */
  async test(key: string, begin: (connection: Connection) => void): Promise<ConnectionTest | 'busy' | null> {
    const { clock, redactor } = this.deps;
    const trial = trialsOf(this.deps).find((one) => one.key === key);
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

/** Whether the sources, chat platforms, model and backup target that are set up can be used, tried when an administrator asks. */
export function createReachability(app: App) {
  const { config, http, clock, audit, redactor } = app;
  const runList = listTarget(app);
  const service = new Reachability({ config, http, clock, redactor, runList, model: createModel(app) });
  const limit = createUserLimit(clock, MAX_TESTS_A_MINUTE, 'Too many tests.');
  const routes = () =>
    serve(REACHABILITY, {
      'GET /api/admin/connections': () => ({ connections: service.list() }),
      'POST /api/admin/connections/:key/test': async ({ user, params: { key } }) => {
        limit(user.id);
        const test = await service.test(key, ({ name, costs }) => {
          if (costs) audit.record({ userId: user.id, action: 'test connection', target: name });
        });
        if (test === null) throw new AppError(404, 'Nothing of that name is set up here. Reload the list.');
        if (test === 'busy') throw new AppError(409, 'Another test runs. Try again when it is over.');
        return test;
      },
    });
  return { name: 'reachability', service, routes } satisfies Part;
}
