import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ id }: { id: string }) => {
  parentPort?.postMessage({ id, isDone: true });
});
