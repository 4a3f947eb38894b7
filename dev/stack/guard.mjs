// Runs one independent command and ends it when we end: the channel to the parent closes even if
// the parent is killed with SIGKILL. It is in its own process group, so Ctrl-C reaches the parent
// first, which can then stop in order.
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
  // The parent learns the pid, so it can end the command even without this guard.
  process.send({ pid: child.pid }, () => undefined);
} else {
  end();
}
