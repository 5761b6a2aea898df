/** A supervisor in a separate process, to be killed: launchRunner.ts <folder> <port> <executable> */
import { launch } from '#platform/install/supervisor/launch.ts';
import { launchOptions } from './launchFixture.ts';

const [folder = '', port = '', executable = ''] = process.argv.slice(2);
process.exit(await launch(launchOptions(folder, executable, Number(port))));
