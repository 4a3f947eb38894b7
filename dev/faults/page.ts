// What a run of the faults found: every case in a table, and a summary for docs.
import { formatAs, toTable } from '../docs/tables';
import type { Finding } from './sweep';

export type Result = { name: string; findings: readonly Finding[] };

const HEAD = `# Faults

What happens when a call of the snap fails? \`npm run faults\` plays each flow of a user once undisturbed and notes every call of the snap to MetaMask and to servers. Then it plays the flow again for each of these calls and each way in which the call can go wrong, against MetaMask's own controllers, a real node and the development service, and for accounts with contracts also these contracts and a bundler. Afterwards nothing goes wrong any more, and the user tries again.

The command writes this page, and a table of all cases to \`dist/faults.md\`. It fails unless all of this holds in every case:

- Nothing is sent twice. Sent transactions are followed until they are settled.
- The bundler accepts at most one user operation of a batch. It is executed once, and \`wallet_getCallsStatus\` reports it correctly.
- At most one authorization of a delegation is sent, and it takes effect.
- MetaMask and the snap have the same accounts, and none is lost. One that MetaMask refuses is kept once, in Tollkeeper alone, or not at all.
- No request is left over, and the same job succeeds when it is done again.
- A new worker reads the stored state, and the other account can still sign.

*Sent later* means by the next background event. *Waits for the user* means that a dialog or a question of MetaMask stays open; here it gets no answer, and the worker is stopped. Any other call that is never answered is given up: of a server after 9 seconds, of MetaMask after 15.

The snap runs in the test's process, by the rules of MetaMask's executor, so that the clock can be moved. \`test/live/sending-faults.test.ts\` and \`approvals.test.ts\` stop MetaMask's own worker while it sends and while it signs.

One fault is MetaMask's own. Its environment calls \`fetch\`, waits until MetaMask has noted the request, and only then waits for the answer. In Node, a connection that is refused within these milliseconds is an unhandled rejection of the environment and ends the snap, although the snap handles the error. In Chromium, it happened in none of 128 refused connections. The snap cannot prevent it, so \`dev/wallet/worker.ts\` starts MetaMask's worker with a \`fetch\` whose failures count as handled: a worker that stops in a test has a cause of its own.`;

/** Writes the summary: for each flow, a row for each way to fail. */
export async function writeSummary(results: readonly Result[]): Promise<string> {
  const sections = results.map(({ name, findings }) => {
    const rows = groupBy(findings, ({ fault }) => fault.name).map((cases) => [
      cases[0]?.fault.name ?? '',
      String(cases.length),
      list(cases.map(({ sees }) => shorten(sees))).join(', '),
      list(cases.map(({ holds }) => holds)).join('; '),
    ]);
    return toSection(name, ['A call …'], rows);
  });
  return formatAs('docs/internals/faults.md', [HEAD, ...sections].join('\n\n'));
}

/** Writes all cases: for each flow, a row for each call and way to fail. */
export async function writeCases(results: readonly Result[]): Promise<string> {
  const sections = results.map(({ name, findings }) => {
    const groups = groupBy(findings, ({ point, fault }) =>
      [point.side, point.call, fault.name].join(' '),
    );
    const rows = groups.map((cases) => [
      cases[0]?.point.call ?? '',
      cases[0]?.fault.name ?? '',
      String(cases.length),
      list(cases.map(({ sees }) => sees)).join('<br>'),
      list(cases.map(({ holds }) => holds)).join('<br>'),
    ]);
    return toSection(name, ['Call', 'What happens'], rows);
  });
  return formatAs('dist/faults.md', ['# All cases', ...sections].join('\n\n'));
}

function toSection(name: string, groups: readonly string[], rows: string[][]) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const head = [...groups, 'Cases', 'The caller sees', 'Afterwards'];
  return `## ${title}\n\n${toTable(head, rows)}`;
}

function groupBy(findings: readonly Finding[], toKey: (finding: Finding) => string) {
  const keys = new Set(findings.map(toKey));
  return [...keys].map((key) => findings.filter((each) => toKey(each) === key));
}

function list(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

// An error by its code alone.
function shorten(sees: string): string {
  if (sees === 'succeeds') return 'success';
  if (sees === 'waits') return 'waits for the user';
  return /^-?\d+(?=: )/u.exec(sees)?.[0] ?? 'a message on the page';
}
