// A second process for the tests of the secret file: it stores secrets, or rotates until it is killed or kills itself at a step.
import { systemClock } from '../../../core/clock.ts';
import { silentLogger } from '../../../core/log.ts';
import { tryFileLock } from '../../sqlite/file-lock.ts';
import { openSecretFile } from './test-secret-file.ts';

const MAX_ROUNDS = 100_000;

const [task = '', directory = '', argument = '', count = '0'] = process.argv.slice(2);

const secrets = await openSecretFile({
  file: `${directory}/secrets.enc`,
  masterKeyFile: `${directory}/master.key`,
  tryLock: () => tryFileLock(`${directory}/secrets.lock`),
  clock: systemClock,
  logger: silentLogger,
  onStep: (step) => {
    if (step === argument) process.kill(process.pid, 'SIGKILL');
  },
});

if (task === 'rotate') await secrets.rotate();
// Until it is killed.
if (task === 'spin') {
  process.stdout.write('ready\n');
  for (let round = 0; round < MAX_ROUNDS; round += 1) await secrets.rotate();
}
if (task === 'put') {
  for (let index = 0; index < Number(count); index += 1) {
    await secrets.put(`${argument}/${index}`, `${argument} value ${index}`);
  }
}
