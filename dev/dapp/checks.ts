// Checks of answers: who signed, and whether what was sent was confirmed.
import {
  isAddressEqual,
  isHex,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type Hex,
  type RecoverTypedDataAddressParameters,
  type TransactionSerialized,
} from 'viem';

import type { Provider } from '../../packages/provider/src';
import { translate } from './session';

export type Answered = { name: string; params: unknown; result: unknown };

/** Where the answer to something that was sent is followed up. */
const receipts: Record<string, string> = {
  eth_sendTransaction: 'eth_getTransactionReceipt',
  eth_sendRawTransaction: 'eth_getTransactionReceipt',
  tollkeeper_replaceTransaction: 'eth_getTransactionReceipt',
  eth_sendUserOperation: 'eth_getUserOperationReceipt',
  wallet_sendCalls: 'wallet_getCallsStatus',
};

/** Checks an answer with an independent implementation (viem) or with the chain. Yields the results so
 * far, again whenever there are more. */
export async function* check(
  { name, params, result }: Answered,
  provider: Provider,
): AsyncGenerator<string> {
  const receipt = receipts[name];
  if (receipt === undefined) {
    const { recovered, expected } =
      (await findSigner(name, listParams(params), result)) ?? {};
    if (!recovered || !expected) return;
    yield isAddressEqual(recovered, expected)
      ? `Signed by ${recovered}, the account itself.`
      : `Signed by ${recovered}, which is not the account itself. A contract verifies the signatures of a smart account.`;
    return;
  }
  const hash = typeof result === 'string' ? result : (result as { id: string }).id;
  const { scope } = Object(params) as { scope?: string };
  const wanted = scope === undefined ? [hash] : { scope, params: [hash] };
  while (true) {
    const found = await provider.request<Receipt | null>({
      method: receipt,
      params: wanted,
    });
    const state = findState(found);
    yield `${translate('field.status')}: ${translate(`sent.${state}`)}`;
    if (state !== 'pending') return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** A receipt of a transaction, of a user operation, or the status of a batch. */
type Receipt = { status?: Hex | number; success?: boolean };

function findState(receipt: Receipt | null): 'pending' | 'included' | 'failed' {
  const { status, success } = receipt ?? {};
  if (!receipt || (typeof status === 'number' && status < 200)) return 'pending';
  return success === true || status === '0x1' || status === 200 ? 'included' : 'failed';
}

async function findSigner(name: string, params: readonly unknown[], result: unknown) {
  const signature = result as Hex;
  const [first, second] = params;
  if (name === 'personal_sign') {
    const message = isHex(first) ? { raw: first } : String(first);
    const recovered = await recoverMessageAddress({ message, signature });
    return { recovered, expected: second as Hex };
  }
  if (name === 'eth_signTypedData_v3' || name === 'eth_signTypedData_v4') {
    const data = (
      typeof second === 'string' ? JSON.parse(second) : second
    ) as RecoverTypedDataAddressParameters;
    const recovered = await recoverTypedDataAddress({ ...data, signature });
    return { recovered, expected: first as Hex };
  }
  if (name === 'eth_signTransaction') {
    const { raw } = result as { raw?: TransactionSerialized };
    if (raw === undefined) return undefined;
    const recovered = await recoverTransactionAddress({ serializedTransaction: raw });
    return { recovered, expected: (first as { from: Hex }).from };
  }
  return undefined;
}

function listParams(params: unknown): readonly unknown[] {
  const { params: inner = params } = Object(params) as { params?: unknown };
  return Array.isArray(inner) ? (inner as unknown[]) : [];
}
