// Runs a command and kills it when this process ends. This process ends when its IPC channel
// closes, even if the parent was killed with SIGKILL. It has its own process group, so that Ctrl-C
// reaches only the parent, which stops everything in order.
import { spawn } from 'node:child_process';

const [command = '', ...commandArguments] = process.argv.slice(2);
const child = spawn(command, commandArguments, {
  stdio: ['ignore', 'inherit', 'inherit'],
});
const end = () => child.kill('SIGKILL');

process.once('disconnect', end);
process.once('exit', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);

child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`, () => process.exit(127));
});
child.once('exit', (code) => process.exit(code ?? 1));

if (process.connected) {
  // The parent needs the pid to end the command if this guard has been killed.
  process.send({ pid: child.pid }, () => undefined);
} else {
  end();
}
