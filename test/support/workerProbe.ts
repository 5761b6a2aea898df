/* Starts a worker and prints whether it answers a message. */
import { startWorker, type WorkerModule } from '#lib/workers.ts';

const worker = startWorker(process.argv.at(-1) as WorkerModule);
const { promise, resolve } = Promise.withResolvers<string>();
worker.addEventListener('message', () => resolve('answered'));
worker.addEventListener('error', ({ message }) => resolve(message));
worker.postMessage({ id: 'probe' });
console.log(await promise);
worker.terminate();
