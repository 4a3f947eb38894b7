// Which ERC-4337 contracts the stack holds, and where: all are created by CREATE2 through
// the deterministic deployer, so an address follows from salt and code. The EntryPoints
// and factories must land where the rest of the world has them.
import {
  concat,
  encodeAbiParameters,
  getContractAddress,
  isAddressEqual,
  type Address,
  type Hex,
} from 'viem';

import { paymasterSigner } from './accounts';
import { fetchBytecode, type EntryPointVersion } from './artifacts';
import { fetchPaymasterBytecode } from './paymaster-compiler';

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
}> {
  const [v06, v07, v08] = await Promise.all([
    planVersion('0.6'),
    planVersion('0.7'),
    planVersion('0.8'),
  ]);
  return {
    contracts: {
      '0.6': v06.contracts,
      '0.7': v07.contracts,
      '0.8': v08.contracts,
      deterministicDeployer,
    },
    creations: [v06, v07, v08].flatMap(({ creations }) => creations),
  };
}

async function planVersion(
  version: EntryPointVersion,
): Promise<{ contracts: VersionContracts; creations: Creation[] }> {
  const { salt, ...known } = canonical[version];
  const [entryPointCode, factoryCode, paymasterCode] = await Promise.all([
    fetchBytecode(version, 'EntryPoint'),
    fetchBytecode(version, 'SimpleAccountFactory'),
    version === '0.8'
      ? fetchPaymasterBytecode()
      : fetchBytecode(version, 'VerifyingPaymaster'),
  ]);
  const entryPoint = plan(`EntryPoint ${version}`, salt, entryPointCode);
  const accountFactory = plan(
    `SimpleAccountFactory ${version}`,
    zeroSalt,
    concat([factoryCode, encodeAddresses(known.entryPoint)]),
  );
  const verifyingPaymaster = plan(
    `VerifyingPaymaster ${version}`,
    zeroSalt,
    concat([paymasterCode, encodeAddresses(known.entryPoint, paymasterSigner.address)]),
  );
  requireAddress(entryPoint, known.entryPoint);
  requireAddress(accountFactory, known.accountFactory);
  return {
    contracts: { ...known, verifyingPaymaster: verifyingPaymaster.address },
    creations: [entryPoint, accountFactory, verifyingPaymaster],
  };
}

function plan(name: string, salt: Hex, code: Hex): Creation {
  const address = getContractAddress({
    bytecode: code,
    from: deterministicDeployer,
    opcode: 'CREATE2',
    salt,
  });
  return { name, address, data: concat([salt, code]) };
}

function encodeAddresses(...addresses: Address[]): Hex {
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
