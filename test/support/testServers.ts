import { afterEach } from 'bun:test';
import { startTestServer, type TestServer } from './testServer.ts';

/** Starts servers that end with their test. */
export function testServers() {
  const running: TestServer[] = [];
  const stopAll = async (): Promise<void> => {
    for (const server of running.splice(0).toReversed()) await server.stop();
  };
  afterEach(stopAll);
  const start = async (...how: Parameters<typeof startTestServer>): Promise<TestServer> => {
    const server = await startTestServer(...how);
    running.push(server);
    return server;
  };
  return { start, stopAll };
}
