// Generates the documentation's tables from the code.
import about from '../../package.json' with { type: 'json' };
import { findRoute, listMethods, type Caller } from '../../src/routes';
import { exceptions, operations, type Client, type Operation } from './clients';
import { contract } from './contract';
import { judges, kinds, type Judge } from './verification';

export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Formats Markdown as Prettier formats the file at `path`. */
export async function formatAs(path: string, text: string): Promise<string> {
  // Jest loads this module too, but cannot load Prettier.
  const { format, resolveConfig } = await import('prettier');
  const config = await resolveConfig(path);
  return format(text, { ...config, parser: 'markdown' });
}

/** Writes the general errors, or the errors that EIP-5792 defines for batches of calls. */
export function writeErrorTable(isOfCalls: boolean): string {
  const rows = Object.values(contract.components.errors)
    .filter(({ code }) => code >= 5700 === isOfCalls)
    .map(({ code, message }) => [String(code), message]);
  return toTable(['Code', 'Meaning'], rows);
}

const callers: readonly (readonly [title: string, caller: Caller])[] = [
  ['MetaMask', 'metamask'],
  ['Companion', 'companion'],
  ['Dapp', 'dapp'],
  ['Other snap', 'snap'],
];

export function writeKeyringTable(): string {
  const rows = listMethods('keyring').map((method) => {
    const { by = [], kind } = findRoute(method) ?? {};
    const cells = callers.map(([, caller]) => {
      if (!by.includes(caller)) return '4100';
      return kind === 'refused' ? '4200' : 'yes';
    });
    return [`\`${method}\``, ...cells];
  });
  return toTable(['Method', ...callers.map(([title]) => title)], rows);
}

export function writeClientsTable(): string {
  const { devDependencies: versions } = about;
  const clients = Object.keys(exceptions) as Client[];
  const rows = Object.entries(operations).map(
    ([operation, title]) =>
      [
        title,
        clients.map((client) => exceptions[client][operation as Operation]),
      ] as const,
  );
  const head = ['', ...clients.map((client) => `${client} ${versions[client]}`)];
  return toTableWithNotes(head, rows);
}

function toTableWithNotes(
  head: readonly string[],
  rows: readonly (readonly [title: string, reasons: readonly (string | undefined)[]])[],
): string {
  const notes = [...new Set(rows.flatMap(([, reasons]) => reasons))].filter(
    (reason) => reason !== undefined,
  );
  const cells = rows.map(([title, reasons]) => [
    title,
    ...reasons.map((reason) =>
      reason === undefined ? 'yes' : `no (${notes.indexOf(reason) + 1})`,
    ),
  ]);
  const list = notes.map((reason, index) => `${index + 1}. ${reason}`);
  return `${toTable(head, cells)}\n\n${list.join('\n')}`;
}

export function writeVerificationTable(): string {
  const columns = Object.keys(judges) as Judge[];
  const rows = Object.values(kinds).map(
    ({ title, refusals }) => [title, columns.map((judge) => refusals[judge])] as const,
  );
  return toTableWithNotes(['', ...Object.values(judges)], rows);
}
