// Creates an account: reads the options, derives the key from the wallet's entropy or imports it,
// and finds the contracts and address of a smart account.
import { isValidPrivate } from '@ethereumjs/util';
import type { CreateAccountOptions as MetaMaskCreateOptions } from '@metamask/keyring-api/v2';
import { boolean, exactOptional, sensitive, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { hexToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { Chains } from '../chains/chain';
import {
  checkAccountAddress,
  fetchAccountAddress,
  fetchNewestEntryPoint,
} from '../chains/contracts';
import type { Core } from '../core/core';
import { entryPoints } from '../core/entry-points';
import {
  InvalidParamsError,
  UnavailableError,
  UnsupportedMethodError,
} from '../core/errors';
import { SAFE_ENTRY_POINT } from '../core/safe';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { AddressStruct, QuantityStruct, toLower } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { computeAccountAddress, isCanonical, SAFE_FACTORY } from '../eth/smart-account';
import { EntryPointVersionStruct } from '../eth/user-operation';
import type { SharedEdges } from '../platform/shared-edges';
import { NO_PATHS } from '../routes';
import { parse } from '../schema/parse';
import { converted, oneOf, paramObject, text } from '../schema/structs';
import {
  AccountIndexStruct,
  accountTypes,
  EntropySourceStruct,
  implementations,
  ScopesStruct,
  toAccountRef,
} from '../state/account-record';
import type { AccountRecord, AccountType, KeySource } from '../state/account-record';
import { makeEoa, makeSmartAccount, readProxyCode, toDerivedKey } from './repository';
import type { AccountRepository, SmartAccountPlace } from './repository';

const PrivateKeyStruct = sensitive(
  converted<Hex>(
    'a 32-byte private key in hex, in the range of secp256k1',
    (value) =>
      typeof value === 'string' &&
      /^0x[0-9a-fA-F]{64}$/u.test(value) &&
      isValidPrivate(hexToBytes(value)),
    (value) =>
      typeof value === 'string' && !value.startsWith('0x') ? `0x${value}` : undefined,
  ),
);

const CreateAccountOptionsStruct = paramObject({
  type: exactOptional(oneOf(accountTypes)),
  privateKey: exactOptional(PrivateKeyStruct),
  index: exactOptional(AccountIndexStruct),
  entropySource: exactOptional(EntropySourceStruct),
  scopes: exactOptional(ScopesStruct),
  implementation: exactOptional(oneOf(implementations)),
  entryPoint: exactOptional(EntryPointVersionStruct),
  factory: exactOptional(AddressStruct),
  salt: exactOptional(QuantityStruct),
  /** Whether to keep the account only in Tollkeeper. */
  unlisted: exactOptional(boolean()),
  /** MetaMask's own options, echoed in the event. Newer versions may add fields. */
  metamask: exactOptional(type({ correlationId: text(64) })),
});

export type CreateAccountOptions = Infer<typeof CreateAccountOptionsStruct>;

/** MetaMask already holds the address in another keyring. */
export class HeldElsewhereError extends InvalidParamsError {}

export type CreateServices = {
  chains: Chains;
  repository: AccountRepository;
  indices: Indices;
  core: Pick<Core, 'addressOf' | 'hasKey' | 'importKey'>;
  readFile: SharedEdges['readFile'];
  renewKey: RenewKey;
};

export type RenewKey = (record: AccountRecord) => Promise<void>;

/** Throws `InvalidParamsError`, which never quotes a value. `root` is the name of the options in
 * messages. */
export function parseCreateAccountOptions(
  value: unknown,
  root = 'keyring_createAccount: options',
): CreateAccountOptions {
  const options = parse(value, CreateAccountOptionsStruct, root);
  const { privateKey, index, entropySource, scopes } = options;
  const fail = (reason: string): never => {
    throw new InvalidParamsError(`${root}: ${reason}`);
  };
  if (privateKey !== undefined && (index ?? entropySource) !== undefined) {
    fail(
      'privateKey cannot be combined with index or entropySource, which derive a key.',
    );
  }
  if (options.type === 'eip155:erc4337') {
    if (scopes?.includes('eip155:0')) {
      fail('a smart account needs specific chains in scopes.');
    }
    if (options.implementation === 'safe') {
      if (options.factory !== undefined) fail('a Safe has its own factory.');
      if ((options.entryPoint ?? SAFE_ENTRY_POINT) !== SAFE_ENTRY_POINT) {
        fail(`a Safe needs EntryPoint ${SAFE_ENTRY_POINT}, which its module supports.`);
      }
    }
    return options;
  }
  const contractOptions = ['implementation', 'entryPoint', 'factory', 'salt'] as const;
  const contractOption = contractOptions.find((name) => options[name] !== undefined);
  if (contractOption) fail(`${contractOption} is for accounts of type eip155:erc4337.`);
  if (scopes && !(scopes.length === 1 && scopes[0] === 'eip155:0')) {
    fail(
      'an account of type eip155:eoa serves all chains: scopes must be ["eip155:0"].',
    );
  }
  return options;
}

/**
 * Converts the options of `keyring_createAccounts` to those of `keyring_createAccount`. Supports
 * the types `private-key:import` (hex only) and `custom`; `accountType` becomes the account's type.
 *
 * @throws {UnsupportedMethodError} If the options request a BIP-44 path.
 * @throws {InvalidParamsError} If a private key is not in hex.
 */
export function toCreateOptions({
  type: kind,
  ...options
}: MetaMaskCreateOptions): Record<string, Json> {
  if (kind.startsWith('bip44:')) {
    throw new UnsupportedMethodError(
      `keyring_createAccounts is not offered for ${kind}: ${NO_PATHS}`,
    );
  }
  const { accountType, encoding, ...others } = options as Record<string, Json>;
  if (encoding !== undefined && encoding !== 'hexadecimal') {
    throw new InvalidParamsError(
      'keyring_createAccounts: options.encoding must be "hexadecimal".',
    );
  }
  return { ...others, ...(accountType !== undefined && { type: accountType }) };
}

/**
 * Creates an account and adds it. For an existing index, returns the existing account.
 *
 * @param add - Stores and returns the account. While it runs, no other call chooses the index that
 * this call chose.
 * @throws {InvalidParamsError} If another account has its address or its key.
 */
export async function createAccount(
  options: CreateAccountOptions,
  services: CreateServices,
  add: (record: AccountRecord) => Promise<AccountRecord>,
): Promise<AccountRecord> {
  const { privateKey, index, entropySource } = options;
  const makeRecord = await createMaker(options, services);
  const make = async (key: KeySource): Promise<AccountRecord> => {
    const record = await makeRecord(key);
    const stored = await services.repository.find(record.id);
    if (stored) await renewSource(stored, entropySource, services);
    return record;
  };
  if (privateKey !== undefined) {
    const held = services.core.importKey(privateKey);
    return add(await make({ kind: 'imported', held }));
  }
  if (index !== undefined) return add(await make(toDerivedKey(index, entropySource)));
  const space = { type: options.type ?? 'eip155:eoa', entropySource };
  return services.indices.withNext(space, async (next) => {
    const record = await make(toDerivedKey(next, entropySource));
    // An imported account may already use this key; the next index is tried.
    if (await services.repository.hasConflict(record)) return undefined;
    try {
      return await add(record);
    } catch (error) {
      if (error instanceof HeldElsewhereError) return undefined;
      throw error;
    }
  });
}

/** Updates the stored id of an account's phrase, because MetaMask gives a reimported phrase a new
 * id. Changes nothing unless the key can be derived with the new id but not with the stored one. */
export async function renewSource(
  stored: AccountRecord,
  entropySource: string | undefined,
  { core, renewKey }: Pick<CreateServices, 'core' | 'renewKey'>,
): Promise<AccountRecord> {
  const { key } = stored;
  if (key.kind !== 'derived' || key.entropySource === entropySource) return stored;
  const renewed = { ...stored, key: toDerivedKey(key.index, entropySource) };
  if (await core.hasKey(toAccountRef(stored))) return stored;
  if (!(await core.hasKey(toAccountRef(renewed)))) return stored;
  await renewKey(renewed);
  return renewed;
}

async function createMaker(
  options: CreateAccountOptions,
  { core, chains, readFile }: CreateServices,
): Promise<(key: KeySource) => Promise<AccountRecord>> {
  if (options.type !== 'eip155:erc4337') {
    return async (key) => makeEoa(await core.addressOf(key), key);
  }
  const { scopes, ...contracts } = await planSmartAccount(options, chains);
  const chainId = parse(scopes[0], ChainIdStruct, 'scope');
  return async (key) => {
    const { implementation, entryPoint } = contracts;
    const isDerived = key.kind === 'derived';
    const owner = await core.addressOf(
      isDerived ? { ...key, implementation, entryPoint } : key,
    );
    const origin = { ...contracts, owner };
    // The snap has the proxy code of canonical factories only. Other factories compute the address.
    const isKnown = isCanonical(contracts);
    const address = isKnown
      ? computeAccountAddress(origin, await readProxyCode(readFile))
      : await fetchAccountAddress(chains, origin, chainId);
    if (isKnown) await checkAccountAddress(chains, { ...origin, address }, chainId);
    return makeSmartAccount({ ...origin, address: toLower(address), scopes }, key);
  };
}

/** Chooses the chains and contracts of a new account. Without `scopes`, its chain is the default
 * network. A Safe's contracts are fixed. Others come from the options, otherwise from the first
 * chain's configuration, otherwise they are the canonical ones of the EntryPoint found by
 * {@link fetchNewestEntryPoint}. */
async function planSmartAccount(
  { scopes: wanted, salt = 0n, ...options }: CreateAccountOptions,
  chains: Chains,
): Promise<Omit<SmartAccountPlace, 'owner' | 'address'>> {
  const scopes = wanted ?? [toCaip2(await chains.own())];
  if (options.implementation === 'safe') {
    const factory = toLower(SAFE_FACTORY);
    const contracts = { entryPoint: SAFE_ENTRY_POINT, factory, salt };
    return { implementation: 'safe', ...contracts, scopes };
  }
  const chainId = parse(scopes[0], ChainIdStruct, 'scope');
  const configured = await chains.row(chainId);
  const named = options.entryPoint ?? configured.entryPoint;
  if (named === undefined && options.factory !== undefined) {
    throw new InvalidParamsError(
      'options.factory needs options.entryPoint: the version of the EntryPoint that it uses.',
    );
  }
  const entryPoint = named ?? (await fetchNewestEntryPoint(chains, chainId));
  const own = entryPoint === configured.entryPoint ? configured.factory : undefined;
  const factory = options.factory ?? own ?? entryPoints[entryPoint].factory;
  return { entryPoint, factory: toLower(factory), salt, scopes };
}

export type Indices = {
  /**
   * Uses the next free index, which no other call gets in the meantime.
   *
   * @param use - Returns undefined if the index is unsuitable; the next one is tried.
   * @throws {UnavailableError} If none was suitable.
   */
  withNext: <Result>(
    space: { type: AccountType; entropySource?: string | undefined },
    use: (index: number) => Promise<Result | undefined>,
  ) => Promise<Result>;
};

/** Maximum number of indices to try. MetaMask may already hold their addresses. */
const MAX_ATTEMPTS = 100;

export function createIndices(listRecords: () => Promise<AccountRecord[]>): Indices {
  const inUse = new Set<string>();
  return {
    withNext: async ({ type: wanted, entropySource }, use) => {
      const nameOf = (index: number): string =>
        JSON.stringify([wanted, entropySource, index]);
      let index = -1;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        // Another call may have taken an index in the meantime.
        const taken = (await listRecords()).flatMap((record) =>
          record.type === wanted &&
          record.key.kind === 'derived' &&
          record.key.entropySource === entropySource
            ? [record.key.index]
            : [],
        );
        do index += 1;
        while (taken.includes(index) || inUse.has(nameOf(index)));
        const name = nameOf(index);
        inUse.add(name);
        try {
          const result = await use(index);
          if (result !== undefined) return result;
        } finally {
          inUse.delete(name);
        }
      }
      throw new UnavailableError(
        `No free index was found in ${MAX_ATTEMPTS} attempts; specify one.`,
      );
    },
  };
}
