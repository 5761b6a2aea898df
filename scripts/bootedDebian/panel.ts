import { type Installation, until } from './installation.ts';

const OVER_WITHIN_MS = 300_000;
const STAYS_WITHIN_MS = 60_000;
const STAYS_FOR_MS = 3000;
const ENDINGS = ['healthy', 'rolledBack', 'failed'];

export type Shown = {
  phase: string;
  failure: string | null;
  steps: { name: string; outcome: string; startedAt: number; endedAt: number | null }[];
};

/** Uses *Update and Restart* of the Admin Panel. */
export class Panel {
  constructor(
    readonly installed: Installation,
    readonly token: string,
  ) {}

  begin(): Promise<unknown> {
    return this.installed.call(this.token, 'POST', '/admin/server/update-and-restart', {});
  }

  /** The current or last update; null if there was none. */
  async shown(): Promise<Shown | null> {
    const path = '/admin/server/update';
    return (await this.installed.call<{ update: Shown | null }>(this.token, 'GET', path)).update;
  }

  async during(name: string): Promise<void> {
    await until(`The step "${name}"`, OVER_WITHIN_MS, async () => {
      const step = (await this.shown())?.steps.find((one) => one.name === name);
      return step?.outcome === 'running';
    });
  }

  /** Waits until an update is over and a server answers. @returns how it ended; null if it left no stored state */
  async ended(): Promise<Shown | null> {
    let shown: Shown | null = null;
    await until('The end of the update', OVER_WITHIN_MS, async () => {
      shown = await this.shown();
      return shown === null || ENDINGS.includes(shown.phase);
    });
    await this.settled();
    return shown;
  }

  /** Waits until the process stays the same, because the supervisor restarts it after a good trial. */
  private async settled(): Promise<void> {
    let [pid, since]: [number | undefined, number] = [undefined, 0];
    await until('A server that stays', STAYS_WITHIN_MS, async () => {
      const now = (await this.installed.health())?.pid;
      if (now !== pid) [pid, since] = [now, performance.now()];
      return pid !== undefined && performance.now() - since > STAYS_FOR_MS;
    });
  }

  async commit(): Promise<string> {
    await this.installed.serves();
    return (await this.installed.health())?.commit ?? '';
  }
}
