// Reads contracts and sources from ERC-4337's npm packages.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type, type Infer } from '@metamask/superstruct';
import {
  type Address,
  concat,
  encodeAbiParameters,
  getCreate2Address,
  type Hex,
  isAddressEqual,
} from 'viem';

import {
  entryPoints,
  entryPointVersions,
  type EntryPointVersion,
} from '../../src/core/entry-points';
import { BytesStruct } from '../../src/eth/hex';
import { DETERMINISTIC_DEPLOYER } from '../../src/eth/user-operation';
import { paymasterSigner } from './accounts';
import { fetchCompiled, findPackageFolder } from './compile';

const ArtifactStruct = type({ bytecode: BytesStruct, deployedBytecode: BytesStruct });

function getPackageFolder(version: EntryPointVersion): string {
  return findPackageFolder(
    `@account-abstraction/contracts-${version}`,
    import.meta.url,
  );
}

/** Reads a contract's creation code. Throws if the package does not contain the contract. */
export async function fetchBytecode(
  version: EntryPointVersion,
  contract: string,
): Promise<Hex> {
  return (await fetchArtifact(version, contract)).bytecode;
}

/** Reads a contract's artifact. In the deployed code, values set by the constructor are zero. */
export async function fetchArtifact(
  version: EntryPointVersion,
  contract: string,
): ReturnType<typeof readArtifact> {
  return readArtifact(join(getPackageFolder(version), 'artifacts', `${contract}.json`));
}

export async function readArtifact(
  file: string,
): Promise<Infer<typeof ArtifactStruct>> {
  return ArtifactStruct.create(JSON.parse(await readFile(file, 'utf8')));
}

// No package contains a compiled VerifyingPaymaster for EntryPoint 0.8 or 0.9, and the one for 0.7
// refuses these EntryPoints. So the sample of 0.7 is compiled with the newer core contracts.

const edits = {
  '0.8': [['userOp.getSender()', 'userOp.sender']],
  '0.9': [
    ['userOp.getSender()', 'userOp.sender'],
    [' BasePaymaster(_entryPoint)', ' BasePaymaster(_entryPoint, msg.sender)'],
    [
      'signature = paymasterAndData[SIGNATURE_OFFSET :];',
      'signature = UserOperationLib.getPaymasterSignature(paymasterAndData);' +
        'if (signature.length == 0) signature = paymasterAndData[SIGNATURE_OFFSET :];',
    ],
  ],
} as const;

type CompiledVersion = keyof typeof edits;

const paymasterSource = '@account-abstraction/contracts/samples/VerifyingPaymaster.sol';

async function fetchPaymasterBytecode(version: CompiledVersion): Promise<Hex> {
  return fetchCompiled({
    source: paymasterSource,
    contract: 'VerifyingPaymaster',
    readSource: async (name) =>
      name === paymasterSource ? fetchSample(version) : fetchSource(name, version),
  });
}

export async function fetchSource(
  name: string,
  version: CompiledVersion,
): Promise<string> {
  const core = getPackageFolder(version);
  const [scope = '', packageName = '', ...path] = name.split('/');
  const folder =
    scope === '@account-abstraction'
      ? core
      : findPackageFolder(`${scope}/${packageName}`, join(core, 'package.json'));
  return readFile(join(folder, ...path), 'utf8');
}

async function fetchSample(version: CompiledVersion): Promise<string> {
  const file = join(getPackageFolder('0.7'), 'samples', 'VerifyingPaymaster.sol');
  let sample = await readFile(file, 'utf8');
  for (const [from, to] of edits[version]) {
    if (!sample.includes(from)) throw new Error(`${file} is not the known sample.`);
    sample = sample.replace(from, to);
  }
  return sample;
}

// The deterministic deployer creates all contracts except EntryPoint 0.9 with CREATE2, so that
// addresses depend only on salt and code. EntryPoints and factories must have the same addresses as
// on public chains.

type VersionContracts = {
  entryPoint: Address;
  accountFactory: Address;
  verifyingPaymaster: Address;
};

export type Contracts = Record<EntryPointVersion, VersionContracts> & {
  deterministicDeployer: Address;
};

export type Creation = { address: Address; to: Address; data: Hex };

/** The package for 0.9 does not contain the released EntryPoint. */
const salts = {
  '0.6': `0x${'00'.repeat(32)}`,
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
  '0.9': undefined,
} as const;

/** Plans the creations. A contract comes before those whose constructors call it. */
export async function planContracts(): Promise<{
  contracts: Contracts;
  creations: Creation[];
}> {
  const plans = await Promise.all(
    entryPointVersions.map(async (version) => ({
      version,
      ...(await planVersion(version)),
    })),
  );
  const contracts = Object.fromEntries(
    plans.map((each) => [each.version, each.contracts]),
  ) as Record<EntryPointVersion, VersionContracts>;
  return {
    contracts: { ...contracts, deterministicDeployer: DETERMINISTIC_DEPLOYER },
    creations: plans.flatMap(({ creations }) => creations),
  };
}

export function findVersion(address: unknown): EntryPointVersion | undefined {
  const wanted = typeof address === 'string' ? address.toLowerCase() : undefined;
  return entryPointVersions.find(
    (version) => entryPoints[version].entryPoint.toLowerCase() === wanted,
  );
}

async function planVersion(version: EntryPointVersion) {
  const { entryPoint, factory: accountFactory } = entryPoints[version];
  const salt = salts[version];
  const [entryPointCode, factoryCode, paymasterCode] = await Promise.all([
    fetchBytecode(version, 'EntryPoint'),
    fetchBytecode(version, 'SimpleAccountFactory'),
    version === '0.8' || version === '0.9'
      ? fetchPaymasterBytecode(version)
      : fetchBytecode(version, 'VerifyingPaymaster'),
  ]);
  const paymaster = planCreation(
    concat([paymasterCode, encodeAddresses(entryPoint, paymasterSigner.address)]),
  );
  return {
    contracts: { entryPoint, accountFactory, verifyingPaymaster: paymaster.address },
    creations: [
      ...(salt ? [planCreation(entryPointCode, { salt, known: entryPoint })] : []),
      planCreation(concat([factoryCode, encodeAddresses(entryPoint)]), {
        known: accountFactory,
      }),
      paymaster,
    ],
  };
}

/** Plans a creation with CREATE2. Throws if the address would differ from `known`. */
export function planCreation(
  code: Hex,
  options: { salt?: Hex; deployer?: Address; known?: Address | undefined } = {},
): Creation {
  const { salt = salts['0.6'], deployer = DETERMINISTIC_DEPLOYER, known } = options;
  const address = getCreate2Address({ bytecode: code, from: deployer, salt });
  if (known !== undefined && !isAddressEqual(address, known)) {
    throw new Error(`The installed package gives ${address} instead of ${known}.`);
  }
  return { address, to: deployer, data: concat([salt, code]) };
}

export function encodeAddresses(...addresses: Address[]): Hex {
  return encodeAbiParameters(
    addresses.map(() => ({ type: 'address' })),
    addresses,
  );
}
