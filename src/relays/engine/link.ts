import type { Scheduler } from '#lib/scheduler.ts';
import { EngineError } from './engineError.ts';
import { engineProblem } from './problems.ts';

/** How long the engine has for an answer, in ms, besides what it was asked to wait. */
export const ANSWER_MS = 3000;
/** What comes in while this process was busy is read before it counts as not come, ms. */
const GRACE_MS = 200;
/** Calls that wait for their answers at once. */
const MAX_WAITING = 5000;

export type LinkOptions = {
  url: string;
  /** The address for people, without user and password. */
  shown: string;
  schedule: Scheduler;
  /** Called when it was lost; not after `close`. */
  onLost(link: Link, problem: EngineError): void;
};

/** One connection to the engine. Once lost it stays so. */
export class Link {
  readonly #client: Bun.RedisClient;
  readonly #fail = new Set<(problem: EngineError) => void>();
  #ended: EngineError | null = null;

  constructor(private readonly options: LinkOptions) {
    this.#client = new Bun.RedisClient(options.url, {
      autoReconnect: false,
      maxRetries: 0,
      // Only what is queued for the greeting is told why it was refused; nothing is asked of a link that was lost.
      enableOfflineQueue: true,
      connectionTimeout: ANSWER_MS,
    });
    this.#client.onclose = () => this.#lose(this.#silent('has ended the connection'));
  }

  /** Connects. @throws EngineError why not */
  async open(): Promise<void> {
    await this.ask('PING', []);
  }

  /**
   * @param waitMs how long the engine may take besides the usual
   * @throws EngineError
   */
  ask(command: string, args: string[], waitMs = 0): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#fail.size >= MAX_WAITING) {
      return Promise.reject(new EngineError('The message engine does not keep up with what it is asked.'));
    }
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        cancel();
        this.#fail.delete(fail);
        act();
      };
      const fail = (problem: EngineError): void => settle(() => reject(problem));
      let cancel = this.options.schedule(waitMs + ANSWER_MS, () => {
        cancel = this.options.schedule(GRACE_MS, () => this.#lose(this.#silent('does not answer')));
      });
      this.#fail.add(fail);
      this.#client.send(command, args).then(
        (answer: unknown) => settle(() => resolve(answer)),
        (error: unknown) => fail(engineProblem(error, command, this.options.shown)),
      );
    });
  }

  /** Ends it; what waits for an answer is refused. */
  close(): void {
    this.#ended ??= new EngineError('The connection to the message engine is closed.', 'down');
    this.#failAll(this.#ended);
  }

  #silent(what: string): EngineError {
    return new EngineError(`The message engine at ${this.options.shown} ${what}.`, 'down');
  }

  #lose(problem: EngineError): void {
    if (this.#ended) return;
    this.#ended = problem;
    // The client tells each call why it failed, but only after it has told that it is closed.
    this.options.schedule(0, () => {
      this.#failAll(problem);
      this.options.onLost(this, problem);
    });
  }

  #failAll(problem: EngineError): void {
    for (const fail of [...this.#fail]) fail(problem);
    this.#client.close();
  }
}
