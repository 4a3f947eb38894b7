// Who signed a transaction.
import { recoverTransactionAddress } from 'viem';
import type { Hex, TransactionSerialized } from 'viem';

import { compareSigner, listParams } from './check';
import type { Check } from './check';

/** Look who signed a transaction. */
export const checkTransaction: Check = async ({ params, result }) => {
  const { raw } = result as { raw?: TransactionSerialized };
  // Where nothing was filled in there are only v, r and s.
  if (raw === undefined) {
    return {
      text: 'Nothing was filled in, so there is no raw transaction to look at.',
    };
  }
  const [transaction] = listParams(params) as [{ from: Hex }];
  const recovered = await recoverTransactionAddress({ serializedTransaction: raw });
  return compareSigner(recovered, transaction.from);
};
