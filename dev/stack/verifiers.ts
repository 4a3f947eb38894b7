// Contracts that verify signatures, and account contracts by others. Few tests need them, so the
// stack starts without them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  type Address,
  concat,
  encodeAbiParameters,
  erc6492SignatureValidatorByteCode,
  type Hex,
} from 'viem';

import { deploymentPayer } from './accounts';
import { fetchCompiled, findPackageFolder } from './compile';
import {
  type Contracts,
  type Creation,
  encodeAddresses,
  fetchBytecode,
  fetchSource,
  planCreation,
  readArtifact,
} from './contracts';
import { createClient } from './deploy';
import type { DevStack } from './stack';

/** Safe's own deployer, which has the same code as the deterministic deployer. */
const SAFE_DEPLOYER: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';

/** The usual addresses of contracts by others. */
export const verifiers = {
  simple7702: {
    '0.8': '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
    '0.9': '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5',
  },
  /** Safe 1.4.1 and its module for EntryPoint 0.7. */
  safe: {
    singleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
    singletonL2: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
    proxyFactory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
    multiSend: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
    multiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
    moduleSetup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
    module4337: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
  },
  /** Multicall3 with only the functions that x402 calls. */
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
} as const;

export type Verifiers = typeof verifiers & {
  /** A token with ERC-2612 and ERC-3009. Anyone can call `mint`. */
  token: Address;
  /** `isValidSig` of ERC-6492, for viem's `erc6492VerifierAddress`. */
  universalValidator: Address;
};

/** Creates the missing contracts. Throws if an installed package yields a different address, or if
 * a creation fails. */
export async function deployVerifiers(
  stack: Pick<DevStack, 'chain' | 'contracts'>,
): Promise<Verifiers> {
  const { chain, contracts } = stack;
  const client = createClient(chain.url);
  const copyCode = async (from: Address, address: Address): Promise<void> =>
    client.setCode({
      address,
      bytecode: (await client.getCode({ address: from })) ?? '0x',
    });
  await copyCode(contracts.deterministicDeployer, SAFE_DEPLOYER);
  await client.setCode({ address: verifiers.permit2, bytecode: await fetchPermit2() });
  const [token, validatorCode, multicall] = await Promise.all([
    fetchOwn('Token').then(planCreation),
    fetchOwn('UniversalValidator'),
    fetchOwn('Multicall').then(planCreation),
  ]);
  const inner = encodeAbiParameters(
    [{ type: 'bytes' }],
    [erc6492SignatureValidatorByteCode],
  );
  const universalValidator = planCreation(concat([validatorCode, inner]));
  const published = await planPublished(contracts);
  const creations = [...published, token, universalValidator, multicall];
  for (const { address, to, data } of creations) {
    if (await client.getCode({ address })) continue;
    // anvil 1.7 fails to mine some transactions that arrive while it mines, so they are sent one by
    // one.
    const { status } = await client.sendTransactionSync({
      account: deploymentPayer,
      to,
      data,
      chain: null,
      gas: 8_000_000n,
    });
    if (status !== 'success') throw new Error(`${address} could not be created.`);
  }
  await copyCode(multicall.address, verifiers.multicall3);
  return {
    ...verifiers,
    token: token.address,
    universalValidator: universalValidator.address,
  };
}

async function planPublished(contracts: Contracts): Promise<Creation[]> {
  const { safe, simple7702 } = verifiers;
  const core: [Address, string][] = [
    [safe.singleton, 'Safe.sol/Safe'],
    [safe.singletonL2, 'SafeL2.sol/SafeL2'],
    [safe.proxyFactory, 'proxies/SafeProxyFactory.sol/SafeProxyFactory'],
    [safe.multiSend, 'libraries/MultiSend.sol/MultiSend'],
    [safe.multiSendCallOnly, 'libraries/MultiSendCallOnly.sol/MultiSendCallOnly'],
  ];
  const [setup, module, account08, candidate09, ...codes] = await Promise.all([
    fetchSafe('safe-4337', 'SafeModuleSetup.sol/SafeModuleSetup'),
    fetchSafe('safe-4337', 'Safe4337Module.sol/Safe4337Module'),
    fetchBytecode('0.8', 'Simple7702Account'),
    fetchBytecode('0.9', 'Simple7702Account'),
    ...core.map(async ([, name]) => fetchSafe('safe-contracts', name)),
  ]);
  const withEntryPoint = (code: Hex, version: '0.7' | '0.9'): Hex =>
    concat([code, encodeAddresses(contracts[version].entryPoint)]);
  const account09 = withEntryPoint(toReleasedCode(candidate09), '0.9');
  return [
    ...codes.map((code, index) =>
      planCreation(code, { known: core[index]?.[0], deployer: SAFE_DEPLOYER }),
    ),
    planCreation(setup, { known: safe.moduleSetup }),
    planCreation(withEntryPoint(module, '0.7'), { known: safe.module4337 }),
    planCreation(account08, { known: simple7702['0.8'] }),
    planCreation(account09, { known: simple7702['0.9'] }),
  ];
}

async function fetchSafe(name: string, contract: string): Promise<Hex> {
  const folder = findPackageFolder(`@safe-global/${name}`, import.meta.url);
  const file = join(folder, 'build', 'artifacts', 'contracts', `${contract}.json`);
  return (await readArtifact(file)).bytecode;
}

const RELEASED_SOURCES =
  '58b4ed6026723b91c0e25d4f8afe218e1e94dfbc28bf6c24505a2d1f71e12a98';
/** Matches the hash of the sources after its CBOR header. */
const SOURCES_HASH = /(?<=a2646970667358221220)[\da-f]{64}/u;

/** The release candidate of `Simple7702Account` 0.9 differs from the release only in the hash of
 * the sources. */
export function toReleasedCode(candidate: string): Hex {
  return candidate.replace(SOURCES_HASH, RELEASED_SOURCES) as Hex;
}

const OWN_SOURCE = 'verifiers.sol';

async function fetchOwn(contract: string): Promise<Hex> {
  return fetchCompiled({
    source: OWN_SOURCE,
    contract,
    readSource: async (name) =>
      name === OWN_SOURCE ? readOwn(OWN_SOURCE) : fetchSource(name, '0.9'),
  });
}

// Permit2's code on Ethereum, from the test data of Uniswap's v4-periphery 1.0.3 (MIT, 77 MB). On
// other chains, the contract computes its EIP-712 domain again.
async function fetchPermit2(): Promise<Hex> {
  return (await readOwn('permit2.txt')).trim() as Hex;
}

async function readOwn(name: string): Promise<string> {
  return readFile(new URL(`./solidity/${name}`, import.meta.url), 'utf8');
}
