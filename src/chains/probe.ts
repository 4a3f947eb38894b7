// Asking a chain's servers and contracts whether they are what they are configured as,
// before that is stored.

import { withTimeLimit } from '../client/abort';
import { InvalidParamsError, TollkeeperError, UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { isSameJson } from '../same-json';
import type { ArrayServer, ChainRow } from '../state/chain-row';
import { findEntryPointFault, findFactoryFault } from './probe-contracts';
import {
  findBundlerFault,
  findGasFault,
  findNodeFault,
  findPaymasterFault,
  findSocketFault,
} from './probe-servers';
import type { Asked, FindFault, ProbeServices } from './probe-servers';

/** A chain's configuration as it is, and as it is to be. */
export type ChainChange = { before: ChainRow; after: ChainRow };

/** Whether servers that were asked take arrays of calls. */
export type ArrayUses = Partial<Record<ArrayServer, boolean>>;

/** Checks a change of a chain's configuration; see {@link probeChain}. */
export type ProbeChain = (chainId: ChainId, change: ChainChange) => Promise<ArrayUses>;

type Field = keyof ChainRow;

type Probe = {
  /** What messages name. */
  field: Field;
  /** What the answer depends on beside it. */
  goesWith: readonly Field[];
  findFault: FindFault;
  /** Whether nothing is wrong where nobody answers. */
  mayBeUnknown?: boolean;
};

/** How messages name what was given. */
const ROOT = 'tollkeeper_setChain: params';

/** How long a server may take, in ms. */
export const LIMIT_MS = 5_000;

/** What is asked, in the order in which faults are told. */
const probes: readonly Probe[] = [
  { field: 'rpcUrl', goesWith: ['apiKey'], findFault: findNodeFault },
  { field: 'wsUrl', goesWith: ['apiKey'], findFault: findSocketFault },
  {
    field: 'gasBaseUrl',
    goesWith: ['gasAuth', 'apiKey', 'apiKeySecret'],
    findFault: findGasFault,
  },
  {
    field: 'bundlerUrl',
    goesWith: ['bundlerApiKey', 'entryPoint'],
    findFault: findBundlerFault,
  },
  {
    field: 'entryPoint',
    goesWith: ['factory'],
    findFault: findEntryPointFault,
    mayBeUnknown: true,
  },
  {
    field: 'factory',
    goesWith: ['entryPoint'],
    findFault: findFactoryFault,
    mayBeUnknown: true,
  },
  {
    field: 'paymasterUrl',
    goesWith: ['paymasterContext', 'entryPoint'],
    findFault: findPaymasterFault,
  },
];

/**
 * Ask what a change of a chain's configuration concerns, all at once, each once and for
 * five seconds at most. Nothing is asked about what does not change.
 *
 * @returns Whether the servers that were asked take arrays of calls.
 * @throws {InvalidParamsError} Naming the field and what was found in its place.
 * @throws {UnavailableError} Naming the field whose server gives no answer that tells.
 */
export async function probeChain(
  chainId: ChainId,
  { before, after }: ChainChange,
  services: ProbeServices,
): Promise<ArrayUses> {
  const uses: ArrayUses = {};
  const asked: Omit<Asked, 'signal'> = {
    chainId,
    row: after,
    noteArrays: (server, takesArrays) => {
      uses[server] = takesArrays;
    },
  };
  const isChanged = (field: Field): boolean => !isSameJson(before[field], after[field]);
  const due = probes.filter(({ field, goesWith }) =>
    [field, ...goesWith].some(isChanged),
  );
  const told = await Promise.allSettled(
    due.map(async (probe) => {
      const fault = await ask(probe, asked, services);
      if (fault !== undefined) {
        const message = `${ROOT}.${probe.field} ${fault} Nothing was saved.`;
        throw new InvalidParamsError(message, { context: { field: probe.field } });
      }
    }),
  );
  const failed = told.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason as Error;
  return uses;
}

async function ask(
  { field, findFault, mayBeUnknown = false }: Probe,
  about: Omit<Asked, 'signal'>,
  services: ProbeServices,
): Promise<string | undefined> {
  try {
    return await withTimeLimit(
      async (signal) => findFault({ ...about, signal }, services),
      LIMIT_MS,
    );
  } catch (error) {
    if (mayBeUnknown) return undefined;
    throw toFailure(field, error);
  }
}

// Servers appear by their labels and are quoted without secrets, as the client has it.
function toFailure(field: Field, cause: unknown): unknown {
  if (!(cause instanceof TollkeeperError)) return cause;
  const message = `${ROOT}.${field}: ${cause.message} Nothing was saved.`;
  const details = { context: { ...cause.context, field }, cause };
  // A credential of which no address can be made, before anybody was asked.
  return cause instanceof InvalidParamsError
    ? new InvalidParamsError(message, details)
    : new UnavailableError(message, details);
}
