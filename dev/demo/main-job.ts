// The main job, as the demo and a live test perform it.
import { SignTypedDataVersion } from '@metamask/eth-sig-util';
import type { Json } from '@metamask/utils';
import {
  createPublicClient,
  formatEther,
  formatTransaction,
  formatTransactionReceipt,
  http,
  numberToHex,
  recoverMessageAddress,
  recoverTypedDataAddress,
  stringToHex,
} from 'viem';
import type { Address, Hex, TransactionReceipt } from 'viem';
import {
  createBundlerClient,
  type RpcUserOperation,
  type UserOperationReceipt,
} from 'viem/account-abstraction';

import { approveAll, refuseAll } from '../wallet/user';
import { SiteError } from '../wallet/wallet';
import { fieldsOf } from './documents';
import type { DemoAccount, World } from './world';

const MESSAGE = 'The toll is paid.';

const MAIL = {
  types: {
    EIP712Domain: fieldsOf('string name, string version, uint256 chainId'),
    Person: fieldsOf('string name, address wallet'),
    Mail: fieldsOf('Person from, string contents'),
  },
  primaryType: 'Mail',
  domain: { name: 'Post', version: '1', chainId: 31337 },
  message: {
    from: { name: 'Ada', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    contents: 'Hello.',
  },
} as const;

/** MetaMask requests the signature. Returns the recovered signer. */
export async function signMessage(
  { wallet }: World,
  { address }: DemoAccount,
): Promise<Address> {
  const message = stringToHex(MESSAGE);
  const signature = await wallet.keyring.signPersonalMessage(address, message);
  return recoverMessageAddress({ message: MESSAGE, signature: signature as Hex });
}

/** MetaMask requests the signature. Returns the recovered signer. */
export async function signTypedData(
  { wallet }: World,
  { address }: DemoAccount,
): Promise<Address> {
  const options = { version: SignTypedDataVersion.V4 };
  const document = structuredClone(MAIL);
  const signature = await wallet.keyring.signTypedData(address, document, options);
  // viem expects a chain id of type uint256 as a bigint, which JSON cannot contain.
  const domain = { ...MAIL.domain, chainId: BigInt(MAIL.domain.chainId) };
  return recoverTypedDataAddress({ ...MAIL, domain, signature } as never);
}

export type SentTransaction = {
  hash: Hex;
  type: Hex;
  /** Maximum price per gas, in wei. */
  maxPrice: bigint;
  gasLimit: bigint;
  receipt: TransactionReceipt;
};

export async function sendTransaction(
  { dapp, stack }: World,
  account: DemoAccount,
  { type, accessList }: { type: Hex; accessList?: readonly [] },
): Promise<SentTransaction> {
  const request = {
    type,
    ...(accessList && { accessList: [...accessList] }),
    from: account.address,
    to: stack.funded.address,
    value: '0x38d7ea4c68000',
    data: '0x',
    chainId: numberToHex(stack.chainId),
  };
  const hash = (await dapp.snap('eth_sendTransaction', [request])) as Hex;
  const sent = await dapp.snap('eth_getTransactionByHash', [hash]);
  const { typeHex, maxFeePerGas, gasPrice, gas } = formatTransaction(sent as never);
  const found = await dapp.snap('eth_getTransactionReceipt', [hash]);
  if (!found) throw new Error(`There is no receipt of ${hash}.`);
  return {
    hash,
    type: typeHex ?? '0x',
    maxPrice: maxFeePerGas ?? gasPrice ?? 0n,
    gasLimit: gas,
    receipt: formatTransactionReceipt(found as never),
  };
}

const RECIPIENT: Address = '0x000000000000000000000000000000000000bEEF';

/** MetaMask makes the snap prepare, patch and sign an operation, and sends it to the bundler that
 * the snap names. `received` is the recipient's new balance in ether. */
export async function sendUserOperation(
  { stack, wallet: { keyring } }: World,
  { address }: DemoAccount,
): Promise<UserOperationReceipt & { isDeployed: boolean; received: string }> {
  const node = createPublicClient({ transport: http(stack.chain.url) });
  const context = { chainId: String(stack.chainId) };
  const intent = { to: RECIPIENT, value: '0x2386f26fc10000', data: '0x' };
  const prepared = await keyring.prepareUserOperation(address, [intent], context);
  const { bundlerUrl, gasLimits, callData, initCode, nonce } = prepared;
  if (!gasLimits) throw new Error('The snap estimated no gas limits.');
  // As in MetaMask, the wallet chooses the fees.
  const fees = await node.estimateFeesPerGas();
  const draft = {
    sender: address,
    nonce,
    initCode,
    callData,
    ...gasLimits,
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: prepared.dummySignature,
  };
  const patch = await keyring.patchUserOperation(address, draft, context);
  const operation = { ...draft, ...patch };
  const signature = await keyring.signUserOperation(address, operation, context);
  const bundler = createBundlerClient({ transport: http(bundlerUrl) });
  const signed = { ...operation, signature } as RpcUserOperation;
  const hash = await bundler.request({
    method: 'eth_sendUserOperation',
    params: [signed, stack.contracts['0.6'].entryPoint],
  });
  const included = await bundler.waitForUserOperationReceipt({
    hash,
    pollingInterval: 200,
  });
  return {
    ...included,
    isDeployed: (await node.getCode({ address })) !== undefined,
    received: formatEther(await node.getBalance({ address: RECIPIENT })),
  };
}

export type SeenError = { code: number; message: string };

export async function refuseMessage(
  { dapp, wallet }: World,
  { address }: DemoAccount,
): Promise<SeenError> {
  wallet.user.onDialog = refuseAll;
  try {
    return await catchError(dapp.snap('personal_sign', ['Give me all.', address]));
  } finally {
    wallet.user.onDialog = approveAll;
  }
}

export async function sendNonsense(
  { dapp }: World,
  { address }: DemoAccount,
): Promise<SeenError> {
  const transaction = { from: address, to: '0x1234', value: '0x0', data: '0x' };
  return catchError(dapp.snap('eth_signTransaction', [transaction]));
}

async function catchError(call: Promise<Json>): Promise<SeenError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof SiteError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('The request was answered, but it should have failed.');
}
