// Every method that sites may call, in the order of a first visit, each with an example.
import type { Hex } from 'viem';

import type { Request } from '../inclusion';
import {
  entryPoints,
  listParams,
  type Answered,
  type Given,
  type Known,
  type MethodRow,
  type Need,
  type Operation,
  type Params,
} from './given';
import {
  checkInclusion,
  checkMessage,
  checkTransaction,
  checkTypedData,
  checkTypedDataV1,
  checkUserOperation,
} from './verify';

/** The given values of which these are known to be there. */
type With<N extends Need> = Given & { [K in N]-?: NonNullable<Given[K]> };

// A row without needs and example takes no params.
function row<N extends Need = never>(
  draft: Omit<MethodRow, 'needs' | 'example'> & {
    needs?: readonly N[];
    example?: (given: With<N>) => Params;
  },
): MethodRow {
  const { needs = [], example = () => [], ...others } = draft;
  // Nobody makes an example before all that it needs is there.
  return { ...others, needs, example: example as unknown as MethodRow['example'] };
}

// Takes nothing but this value.
function taking<N extends Need>(
  need: N,
): {
  needs: readonly N[];
  example: (given: With<N>) => Params;
} {
  return { needs: [need], example: (given) => [given[need]] };
}

/** A thousandth of an ether, in wei. */
const SMALL_VALUE = '0x38d7ea4c68000';

// A small payment whose fees are left to the snap.
const transfer = {
  needs: ['ordinary', 'chainId'] as const,
  example: ({ ordinary, recipient, chainId }: With<'ordinary' | 'chainId'>): Params => [
    { from: ordinary, to: recipient, value: SMALL_VALUE, data: '0x', chainId },
  ],
};

const learnHash = ({ result }: Answered): Known => ({ transactionHash: result as Hex });

const accountRows = [
  row({
    name: 'eth_requestAccounts',
    about:
      'Asks the user for accounts, the first time; answers those that were granted.',
  }),
  row({
    name: 'eth_accounts',
    about: 'Answers the accounts that this site was granted; asks nobody.',
  }),
  row({
    name: 'wallet_getPermissions',
    about: 'Answers what this site was permitted (EIP-2255).',
  }),
  row({
    name: 'wallet_requestPermissions',
    about: 'Asks the user to choose accounts anew (EIP-2255).',
    example: () => [{ eth_accounts: {} }],
  }),
  row({
    name: 'wallet_revokePermissions',
    about: 'Gives all accounts back: this site has none until it asks again.',
    example: () => [{ eth_accounts: {} }],
  }),
  row({
    name: 'eth_chainId',
    about:
      'Answers the only chain of the granted accounts, else that of MetaMask. MetaMask has a method of the same name, so the snap is asked outright.',
    isWallets: true,
  }),
];

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const receiptTypes = [
  { name: 'toll', type: 'uint256' },
  { name: 'paidTo', type: 'string' },
];

const cartTypes = [
  { name: 'wheels', type: 'uint8' },
  { name: 'goods', type: 'string' },
];

const carts = [
  { wheels: 2, goods: 'salt' },
  { wheels: 4, goods: 'cloth' },
];

// Version 4 of typed data has arrays.
function createTypedData(version: 3 | 4, chainId: Hex): object {
  const has = version === 4;
  return {
    types: {
      EIP712Domain: domainTypes,
      ...(has ? { Cart: cartTypes } : {}),
      Receipt: [...receiptTypes, ...(has ? [{ name: 'carts', type: 'Cart[]' }] : [])],
    },
    primaryType: 'Receipt',
    domain: {
      name: 'Toll',
      chainId: Number(chainId),
      verifyingContract: entryPoints['0.6'],
    },
    message: { toll: '21000', paidTo: 'the keeper', ...(has ? { carts } : {}) },
  };
}

const typedDataV1 = {
  needs: ['ordinary'] as const,
  example: ({ ordinary }: With<'ordinary'>): Params => [
    ordinary,
    [
      { type: 'string', name: 'paidTo', value: 'the keeper' },
      { type: 'uint32', name: 'toll', value: '21000' },
    ],
  ],
  verify: checkTypedDataV1,
};

const signingRows = [
  row({
    name: 'personal_sign',
    about: 'Signs a message (EIP-191): a text, or bytes in hex.',
    needs: ['ordinary'],
    example: ({ ordinary }) => ['The toll is paid.', ordinary],
    verify: checkMessage,
  }),
  row({
    name: 'eth_signTypedData_v4',
    about: 'Signs typed data (EIP-712).',
    needs: ['ordinary', 'chainId'],
    example: ({ ordinary, chainId }) => [ordinary, createTypedData(4, chainId)],
    verify: checkTypedData,
  }),
  row({
    name: 'eth_signTypedData_v3',
    about: 'Signs typed data without arrays, as they were before version 4.',
    needs: ['ordinary', 'chainId'],
    example: ({ ordinary, chainId }) => [ordinary, createTypedData(3, chainId)],
    verify: checkTypedData,
  }),
  row({
    name: 'eth_signTypedData_v1',
    about: 'Signs values as Solidity packs them, as it was before EIP-712.',
    ...typedDataV1,
  }),
  row({
    name: 'eth_signTypedData',
    about: 'Is eth_signTypedData_v1 by its first name.',
    ...typedDataV1,
  }),
  row({
    name: 'eth_sign',
    about: 'Is always refused (4200): it would sign a hash that nobody can read.',
    needs: ['ordinary'],
    example: ({ ordinary }) => [ordinary, `0x${'00'.repeat(32)}`],
  }),
  row({
    name: 'wallet_signAuthorization',
    about: 'Is always refused (4200): any code could act as the account by it.',
    needs: ['ordinary', 'chainId'],
    example: ({ ordinary, recipient, chainId }) => [
      { account: ordinary, address: recipient, chainId, nonce: '0x0' },
    ],
  }),
  row({
    name: 'eth_signTransaction',
    about: 'Fills in what a transaction leaves out and signs it; it is not sent.',
    ...transfer,
    verify: checkTransaction,
    learn: ({ result }) => ({ raw: (result as { raw?: Hex }).raw }),
  }),
];

const transactionRows = [
  row({
    name: 'eth_fillTransaction',
    about: 'Fills in what a transaction leaves out; signs nothing, asks nobody.',
    ...transfer,
  }),
  row({
    name: 'eth_sendTransaction',
    about: 'Fills in, signs, sends and follows a transaction.',
    ...transfer,
    verify: checkInclusion('transaction'),
    learn: learnHash,
  }),
  row({
    name: 'eth_sendRawTransaction',
    about: 'Sends a transaction that is signed already; asks nobody.',
    ...taking('raw'),
    verify: checkInclusion('transaction'),
    learn: (answered) => ({ ...learnHash(answered), raw: undefined }),
  }),
  row({
    name: 'tollkeeper_replaceTransaction',
    about: 'Speeds a pending transaction up, or cancels it.',
    needs: ['transactionHash'],
    example: ({ transactionHash }) => [transactionHash, { action: 'speedUp' }],
    verify: checkInclusion('transaction'),
    learn: learnHash,
  }),
];

/** A block of Ethereum that had an uncle. */
const BLOCK_WITH_UNCLE =
  '0xc6ef2fc5426d6ad6fd9e2a26abeab0aa2411b7ab17f30a99d3cb96aed1d1055b';

const receiptRows = [
  row({
    name: 'eth_getTransactionReceipt',
    about: 'Answers the receipt of a transaction, null while there is none.',
    ...taking('transactionHash'),
  }),
  row({
    name: 'eth_getTransactionByHash',
    about: 'Answers a transaction, null if the node does not know it.',
    ...taking('transactionHash'),
  }),
  row({
    name: 'eth_getUncleByBlockNumberAndIndex',
    about: 'Answers an uncle of a block; null where blocks have none.',
    example: () => ['latest', '0x0'],
  }),
  row({
    name: 'eth_getUncleByBlockHashAndIndex',
    about: 'Answers an uncle of a block; null where blocks have none.',
    example: () => [BLOCK_WITH_UNCLE, '0x0'],
  }),
];

const operationRows = [
  row({
    name: 'eth_prepareUserOperation',
    about: 'Encodes calls for a smart account and estimates their gas; asks nobody.',
    needs: ['smart', 'chainId'],
    example: createIntent,
    learn: assembleOperation,
  }),
  row({
    name: 'eth_patchUserOperation',
    about: 'Asks the paymaster of the chain, if there is one, to pay for an operation.',
    ...taking('operation'),
    learn: ({ params, result }) => ({
      operation: { ...getOperation(params), ...(result as Partial<Operation>) },
    }),
  }),
  row({
    name: 'eth_signUserOperation',
    about: 'Signs an operation for its EntryPoint; it is not sent.',
    needs: ['operation', 'smart'],
    example: ({ operation, smart }) => [operation, entryPoints[smart.entryPoint]],
    verify: checkUserOperation,
    learn: ({ params, result }) => ({
      signed: { ...getOperation(params), signature: result as Hex },
    }),
  }),
  row({
    name: 'eth_estimateUserOperationGas',
    about: 'Estimates the gas limits of calls, or of an operation; asks nobody.',
    needs: ['smart', 'chainId'],
    example: createIntent,
  }),
  row({
    name: 'eth_sendUserOperation',
    about:
      'Fills in, signs, sends and follows an operation. One that was signed above is only sent.',
    needs: ['smart', 'chainId'],
    example: (given) =>
      given.signed
        ? [given.signed, entryPoints[given.smart.entryPoint]]
        : createIntent(given),
    verify: checkInclusion('operation'),
    learn: ({ result }) => ({
      operationHash: result as Hex,
      operation: undefined,
      signed: undefined,
    }),
  }),
  row({
    name: 'eth_getUserOperationReceipt',
    about: "Answers the bundler's receipt of an operation, null while there is none.",
    ...taking('operationHash'),
  }),
  row({
    name: 'eth_getUserOperationByHash',
    about: 'Answers an operation and where it was included.',
    ...taking('operationHash'),
  }),
  row({
    name: 'eth_supportedEntryPoints',
    about: 'Answers the EntryPoints that the bundler serves.',
  }),
];

// Several smart accounts may have been granted: this says which.
function createIntent({
  smart,
  chainId,
  recipient,
}: With<'smart' | 'chainId'>): Params {
  return {
    account: smart.address,
    scope: `eip155:${BigInt(chainId)}`,
    params: [{ to: recipient, value: SMALL_VALUE, data: '0x' }],
  };
}

function getOperation(params: Params): Operation {
  const [operation] = listParams(params) as [Operation];
  return operation;
}

type Prepared = Record<
  'callData' | 'initCode' | 'nonce' | 'dummySignature' | 'dummyPaymasterAndData',
  Hex
> & {
  gasLimits: Record<
    'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas',
    Hex
  >;
};

type Levels = { medium: Record<'maxFeePerGas' | 'maxPriorityFeePerGas', Hex> };

// Makes an operation that can be patched, signed and sent: a prepared one lacks its fees.
async function assembleOperation(
  { params, result, given: { smart } }: Answered,
  request: Request,
): Promise<Known> {
  const prepared = result as Prepared;
  const { account: sender = smart?.address } = params as { account?: Hex };
  if (sender === undefined) return {};
  const { medium } = (await request({
    method: 'tollkeeper_getFeeLevels',
    params: [],
  })) as Levels;
  const operation: Operation = {
    sender,
    nonce: prepared.nonce,
    initCode: prepared.initCode,
    callData: prepared.callData,
    ...prepared.gasLimits,
    maxFeePerGas: medium.maxFeePerGas,
    maxPriorityFeePerGas: medium.maxPriorityFeePerGas,
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: prepared.dummySignature,
  };
  return { operation, signed: undefined };
}

const callRows = [
  row({
    name: 'wallet_getCapabilities',
    about: 'Answers on which chains an account sends calls, and whether atomically.',
    needs: ['account', 'chainId'],
    example: ({ account, chainId }) => [account, [chainId]],
  }),
  row({
    name: 'wallet_sendCalls',
    about: 'Sends calls: a smart account at once, an ordinary one in their order.',
    needs: ['account', 'chainId'],
    example: ({ account, chainId, recipient }) => [
      {
        version: '2.0.0',
        from: account,
        chainId,
        atomicRequired: false,
        calls: [
          { to: recipient, value: '0x1' },
          { to: recipient, value: '0x2' },
        ],
      },
    ],
    verify: checkInclusion('calls'),
    learn: ({ result }) => ({ callsId: (result as { id: string }).id }),
  }),
  row({
    name: 'wallet_getCallsStatus',
    about: 'Answers what became of calls that this site sent.',
    ...taking('callsId'),
  }),
  row({
    name: 'wallet_showCallsStatus',
    about: 'Shows the user what became of calls; answers once they have closed it.',
    ...taking('callsId'),
  }),
];

const gasRows = [
  row({
    name: 'gas_suggestedGasFees',
    about: 'Answers the levels of the gas API for a chain, in gwei.',
    ...taking('chainId'),
  }),
  row({
    name: 'gas_baseFeePercentile',
    about: 'Answers the base fee that half of the last blocks stayed below, in gwei.',
    ...taking('chainId'),
  }),
  row({
    name: 'tollkeeper_getFeeLevels',
    about:
      'Answers the levels that transactions are filled with, in wei, and their source.',
  }),
  row({
    name: 'rollup_estimateGas',
    about: "Answers a rollup's own estimate of a call; fee fields are left out.",
    needs: ['ordinary'],
    example: ({ ordinary, recipient }) => [
      { from: ordinary, to: recipient, value: SMALL_VALUE, data: '0x' },
    ],
  }),
];

const discoveryRows = [
  row({
    name: 'rpc.discover',
    about: 'Answers the OpenRPC document of all methods: params, results, errors.',
  }),
];

/** The rows in groups. */
export const methodGroups: readonly { title: string; rows: readonly MethodRow[] }[] = [
  { title: 'Accounts of this site', rows: accountRows },
  { title: 'Signing', rows: signingRows },
  { title: 'Transactions', rows: transactionRows },
  { title: 'Receipts', rows: receiptRows },
  { title: 'User operations (ERC-4337)', rows: operationRows },
  { title: 'Batches of calls (EIP-5792)', rows: callRows },
  { title: 'Gas', rows: gasRows },
  { title: 'Discovery (OpenRPC)', rows: discoveryRows },
];
