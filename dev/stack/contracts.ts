// Reads what the npm packages of ERC-4337 hold: compiled contracts and sources. They are
// read from disk and not imported, since only the bytecode of 700 KB of JSON is wanted.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pattern, string, type } from '@metamask/superstruct';
import {
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  isAddressEqual,
} from 'viem';

import { paymasterSigner } from './accounts';
import { fetchCompiled, findPackageFolder } from './compile';

/** The versions of the EntryPoint, as the snap names them. */
export const versions = ['0.6', '0.7', '0.8', '0.9'] as const;

export type EntryPointVersion = (typeof versions)[number];

const CodeStruct = pattern(string(), /^0x(?:[\da-f]{2})+$/);
const ArtifactStruct = type({ bytecode: CodeStruct, deployedBytecode: CodeStruct });

/** Find the folder of the contracts package of a version. */
function getPackageFolder(version: EntryPointVersion): string {
  return findPackageFolder(
    `@account-abstraction/contracts-${version}`,
    import.meta.url,
  );
}

/**
 * Reads the creation code of a contract.
 *
 * @throws {Error} If the package has no such artifact.
 */
export async function fetchBytecode(
  version: EntryPointVersion,
  contract: string,
): Promise<Hex> {
  return (await fetchArtifact(version, contract)).bytecode;
}

/**
 * Reads the artifact of a contract: its creation code, and the code that it has when it is
 * deployed, in which what a constructor puts into it is zero.
 *
 * @throws {Error} If the package has no such artifact.
 */
export async function fetchArtifact(
  version: EntryPointVersion,
  contract: string,
): Promise<{ bytecode: Hex; deployedBytecode: Hex }> {
  const file = join(getPackageFolder(version), 'artifacts', `${contract}.json`);
  return readArtifact(file);
}

/** Reads a compiled contract. */
export async function readArtifact(
  file: string,
): Promise<{ bytecode: Hex; deployedBytecode: Hex }> {
  const artifact = ArtifactStruct.create(JSON.parse(await readFile(file, 'utf8')));
  return artifact as { bytecode: Hex; deployedBytecode: Hex };
}

// No package holds a VerifyingPaymaster for EntryPoint 0.8 or 0.9, and the compiled one of 0.7
// refuses these EntryPoints. So the sample of 0.7 is compiled against their cores.

/** Versions whose paymaster is compiled, and what of the sample their cores have otherwise. */
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

/** Where the compiler finds the sample. */
const paymasterSource = '@account-abstraction/contracts/samples/VerifyingPaymaster.sol';

async function fetchPaymasterBytecode(version: CompiledVersion): Promise<Hex> {
  return fetchCompiled({
    source: paymasterSource,
    contract: 'VerifyingPaymaster',
    readSource: async (name) => fetchSource(name, version),
  });
}

/** Reads a source of a core, or of a package that it imports. */
export async function fetchSource(
  name: string,
  version: CompiledVersion,
): Promise<string> {
  if (name === paymasterSource) return fetchSample(version);
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
    if (!sample.includes(from)) throw new Error(`${file} is not the sample we know.`);
    sample = sample.replace(from, to);
  }
  return sample;
}

// Which ERC-4337 contracts the stack holds, and where: all but EntryPoint 0.9 are created by
// CREATE2 through the deterministic deployer, so an address follows from salt and code. The
// EntryPoints and factories must land where the rest of the world has them.

/** The deployer that anvil has from the start; it creates `salt ++ code`. */
export const deterministicDeployer: Address =
  '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** The contracts of one EntryPoint version. */
type VersionContracts = {
  entryPoint: Address;
  accountFactory: Address;
  verifyingPaymaster: Address;
};

/** Every contract of the stack. */
export type Contracts = Record<EntryPointVersion, VersionContracts> & {
  deterministicDeployer: Address;
};

/** One contract to create: the deployer's call data, and where the contract will be. */
export type Creation = { name: string; address: Address; data: Hex };

/** A contract whose code is put at its address without being created there. */
export type Placement = {
  name: string;
  address: Address;
  /** Who runs the constructor, whose answer is the code. */
  creator: Address;
  data: Hex;
  /** An address in the code, and what stands there instead. */
  replace?: readonly [Address, Address];
};

const zeroSalt: Hex = `0x${'00'.repeat(32)}`;

const canonical = {
  '0.6': {
    entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    salt: zeroSalt,
    accountFactory: '0x9406Cc6185a346906296840746125a0E44976454',
  },
  '0.7': {
    entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
    accountFactory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  },
  '0.8': {
    entryPoint: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
    salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
    accountFactory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
  },
  '0.9': {
    entryPoint: '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
    accountFactory: '0xEDd9667C46f5FC5115EC33940df899ad4EAE5949',
  },
} as const;

/**
 * Work out what to create and where it will be.
 *
 * @returns The addresses, and the creations in an order in which each finds what its
 * constructor calls.
 * @throws {Error} If the installed packages do not give the known addresses.
 */
export async function planContracts(): Promise<{
  contracts: Contracts;
  creations: Creation[];
  placements: Placement[];
}> {
  const [placements, ...plans] = await Promise.all([
    planEntryPoint09(),
    ...versions.map(async (version) => ({ version, ...(await planVersion(version)) })),
  ]);
  const contracts = Object.fromEntries(
    plans.map((each) => [each.version, each.contracts]),
  ) as Record<EntryPointVersion, VersionContracts>;
  return {
    contracts: { ...contracts, deterministicDeployer },
    creations: plans.flatMap(({ creations }) => creations),
    placements,
  };
}

/** Finds the version whose EntryPoint is at an address. */
export function findVersion(
  address: unknown,
  contracts: Contracts,
): EntryPointVersion | undefined {
  const wanted = typeof address === 'string' ? address.toLowerCase() : undefined;
  return versions.find((each) => contracts[each].entryPoint.toLowerCase() === wanted);
}

async function planVersion(
  version: EntryPointVersion,
): Promise<{ contracts: VersionContracts; creations: Creation[] }> {
  const known = canonical[version];
  const [entryPointCode, factoryCode, paymasterCode] = await Promise.all([
    fetchBytecode(version, 'EntryPoint'),
    fetchBytecode(version, 'SimpleAccountFactory'),
    version === '0.8' || version === '0.9'
      ? fetchPaymasterBytecode(version)
      : fetchBytecode(version, 'VerifyingPaymaster'),
  ]);
  const { entryPoint, accountFactory } = known;
  const factory = plan(
    `SimpleAccountFactory ${version}`,
    zeroSalt,
    concat([factoryCode, encodeAddresses(entryPoint)]),
  );
  const paymaster = plan(
    `VerifyingPaymaster ${version}`,
    zeroSalt,
    concat([paymasterCode, encodeAddresses(entryPoint, paymasterSigner.address)]),
  );
  requireAddress(factory, accountFactory);
  const creations = [factory, paymaster];
  if ('salt' in known) {
    const created = plan(`EntryPoint ${version}`, known.salt, entryPointCode);
    requireAddress(created, entryPoint);
    creations.unshift(created);
  }
  return {
    contracts: { entryPoint, accountFactory, verifyingPaymaster: paymaster.address },
    creations,
  };
}

// The registry has but a release candidate of EntryPoint 0.9, from which no salt gives the
// address of the release. Run anywhere else, the constructor answers code that knows the
// SenderCreator of that place, and that computes its EIP-712 domain wherever it stands.
async function planEntryPoint09(): Promise<Placement[]> {
  const [entryPointCode, creatorCode] = await Promise.all([
    fetchBytecode('0.9', 'EntryPoint'),
    fetchBytecode('0.9', 'SenderCreator'),
  ]);
  const { entryPoint } = canonical['0.9'];
  const elsewhere = getContractAddress({ from: NOBODY, nonce: 0n });
  const firstOf = (from: Address): Address => getContractAddress({ from, nonce: 1n });
  return [
    {
      name: 'EntryPoint 0.9',
      address: entryPoint,
      creator: NOBODY,
      data: entryPointCode,
      replace: [firstOf(elsewhere), firstOf(entryPoint)],
    },
    {
      name: 'SenderCreator 0.9',
      address: firstOf(entryPoint),
      creator: entryPoint,
      data: creatorCode,
    },
  ];
}

/** Has sent nothing. */
const NOBODY: Address = '0x000000000000000000000000000000000000f00d';

function plan(name: string, salt: Hex, code: Hex): Creation {
  const address = toCreate2Address(code, salt, deterministicDeployer);
  return { name, address, data: concat([salt, code]) };
}

/** Computes where a deployer creates a contract. */
export function toCreate2Address(bytecode: Hex, salt: Hex, from: Address): Address {
  return getContractAddress({ bytecode, from, opcode: 'CREATE2', salt });
}

/** Encodes the arguments of a constructor that takes addresses. */
export function encodeAddresses(...addresses: Address[]): Hex {
  return encodeAbiParameters(
    addresses.map(() => ({ type: 'address' })),
    addresses,
  );
}

function requireAddress({ name, address }: Creation, expected: Address): void {
  if (isAddressEqual(address, expected)) return;
  throw new Error(
    `${name} would be at ${address} instead of ${expected}: the installed package is another.`,
  );
}
