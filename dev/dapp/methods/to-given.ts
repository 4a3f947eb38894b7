// What is given by the session: the accounts that the examples are made with.
import type { Hex } from 'viem';

import { entryPoints } from './given';
import type { Given, Known, Smart } from './given';

/** What is read of an account. */
export type OwnAccount = {
  id: string;
  type: string;
  address: string;
  options: Record<string, unknown>;
};

/** What is read of the session. */
export type GivenSession = {
  config: { snapId: string; recipient?: string | undefined };
  accounts: readonly OwnAccount[];
  granted: readonly string[];
  selected?: OwnAccount | undefined;
  chainId?: string | undefined;
};

/** Who is paid where nobody is configured: an address that nobody has the key of. */
const NOBODY = '0x000000000000000000000000000000000000dEaD';

/** Gather what examples are made of. */
export function toGiven(session: GivenSession, known: Known): Given {
  const { config, chainId } = session;
  const accounts = listGranted(session);
  const ordinary = accounts.find(({ type }) => type === 'eip155:eoa')?.address;
  const smart = accounts.map(toSmart).find((each) => each !== undefined);
  return {
    ...known,
    snapId: config.snapId,
    recipient: (config.recipient ?? NOBODY) as Hex,
    chainId: chainId as Hex | undefined,
    ordinary: ordinary as Hex | undefined,
    smart,
    account: accounts[0]?.address as Hex | undefined,
  };
}

// The chosen one comes first. An account that was not granted cannot be used.
function listGranted({
  accounts,
  granted,
  selected,
}: GivenSession): readonly OwnAccount[] {
  const own = new Set(granted.map((address) => address.toLowerCase()));
  const chosen = selected ? [selected] : [];
  const others = accounts.filter(({ id }) => id !== selected?.id);
  return [...chosen, ...others].filter(({ address }) => own.has(address.toLowerCase()));
}

function toSmart({ type, address, options }: OwnAccount): Smart | undefined {
  const { owner, entryPoint } = options;
  if (type !== 'eip155:erc4337') return undefined;
  if (typeof owner !== 'string' || !isKnown(entryPoint)) return undefined;
  return { address: address as Hex, owner: owner as Hex, entryPoint };
}

function isKnown(version: unknown): version is Smart['entryPoint'] {
  return typeof version === 'string' && Object.hasOwn(entryPoints, version);
}
