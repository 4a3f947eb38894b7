// The actions of viem that stand for a method: one row a method. A method without a row is
// asked as it is: viem has no action for it, or one that makes something else of the answer.
import { hexToBigInt, isHex } from 'viem';
import type { Hex } from 'viem';

import { code } from './print';
import { readFields, readMessage, readOne, readPayment, readTypedData } from './shapes';
import type { Subject } from './snippet';

/** A call of an action. */
export type Idiom = {
  client: 'wallet' | 'public' | 'bundler';
  /** What its answer is called. */
  result: string;
  action: string;
  args?: unknown;
  /** The chain that the call needs as `chain`. */
  chain?: number;
};

type Write = (subject: Subject) => Idiom | undefined;

const plain =
  (client: Idiom['client'], result: string, action: string): Write =>
  ({ params }) =>
    Array.isArray(params) && params.length === 0
      ? { client, result, action }
      : undefined;

const byOne =
  (name: string, { client, result, action }: Idiom): Write =>
  (subject) => {
    const one = readOne(subject);
    return one === undefined
      ? undefined
      : { client, result, action, args: { [name]: one } };
  };

const byHash = (result: string, action: string): Write =>
  byOne('hash', { client: 'public', result, action });

/** Idioms by method. */
export const viemIdioms: Readonly<Record<string, Write>> = {
  eth_requestAccounts: plain('wallet', 'addresses', 'requestAddresses'),
  eth_accounts: plain('wallet', 'addresses', 'getAddresses'),
  wallet_getPermissions: plain('wallet', 'permissions', 'getPermissions'),
  wallet_requestPermissions: (subject) => {
    const fields = readFields(subject, ['eth_accounts']);
    return fields && { ...wallet('permissions', 'requestPermissions'), args: fields };
  },
  personal_sign: (subject) => {
    const found = readMessage(subject);
    if (!found) return undefined;
    const { address: account, message, isBytes } = found;
    const args = { account, message: isBytes ? { raw: message } : message };
    return { ...wallet('signature', 'signMessage'), args };
  },
  eth_signTypedData_v4: (subject) => {
    const document = readTypedData(subject);
    if (!document) return undefined;
    const { address: account, ...args } = document;
    return { ...wallet('signature', 'signTypedData'), args: { account, ...args } };
  },
  eth_sendTransaction: (subject) => {
    const payment = readPayment(subject);
    if (!payment) return undefined;
    const { from: account, ...args } = payment;
    // No chain: on the one that MetaMask has chosen for the site.
    const own = { account, ...args, chain: null };
    return { ...wallet('hash', 'sendTransaction'), args: own };
  },
  eth_sendRawTransaction: byOne(
    'serializedTransaction',
    wallet('hash', 'sendRawTransaction'),
  ),
  eth_getTransactionReceipt: byHash('receipt', 'getTransactionReceipt'),
  eth_getTransactionByHash: byHash('transaction', 'getTransaction'),
  eth_getUserOperationReceipt: byOne('hash', {
    client: 'bundler',
    result: 'receipt',
    action: 'getUserOperationReceipt',
  }),
  eth_getUserOperationByHash: byOne('hash', {
    client: 'bundler',
    result: 'operation',
    action: 'getUserOperation',
  }),
  eth_supportedEntryPoints: plain('bundler', 'entryPoints', 'getSupportedEntryPoints'),
  wallet_getCapabilities: ({ params }) => {
    const [account, chains, ...others] = params as [Hex, Hex[]];
    if (others.length > 0 || chains.length !== 1 || !isHex(account)) return undefined;
    const args = { account, chainId: Number(chains[0]) };
    return { ...wallet('capabilities', 'getCapabilities'), args };
  },
  wallet_sendCalls: (subject) => writeSendCalls(subject),
  wallet_getCallsStatus: byOne('id', wallet('status', 'getCallsStatus')),
  wallet_showCallsStatus: byOne('id', wallet('shown', 'showCallsStatus')),
};

function wallet(result: string, action: string): Idiom {
  return { client: 'wallet', result, action };
}

type Batch = {
  from: Hex;
  chainId: Hex;
  atomicRequired: boolean;
  calls: { to?: Hex; value?: Hex; data?: Hex }[];
  capabilities?: unknown;
};

function writeSendCalls(subject: Subject): Idiom | undefined {
  const names = [
    'version',
    'from',
    'chainId',
    'atomicRequired',
    'calls',
    'capabilities',
  ];
  const batch = readFields(subject, names);
  if (!batch) return undefined;
  const { from, chainId, atomicRequired, calls, capabilities } = batch as Batch;
  const args = {
    account: from,
    chain: code('chain'),
    calls: calls.map(({ to, value, data }) => ({
      to,
      value: value === undefined ? undefined : hexToBigInt(value),
      data,
    })),
    ...(atomicRequired ? { forceAtomic: true } : {}),
    capabilities,
  };
  return { ...wallet('batch', 'sendCalls'), args, chain: Number(chainId) };
}
