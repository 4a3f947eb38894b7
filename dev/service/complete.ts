// What nodes leave out of their answers is completed as our client does it. Of a transaction that
// was asked for by its place, the block tells the hash.
import { isObject } from '@metamask/utils';

import { completeAnswer } from '../../packages/client/src/rpc/complete';

type Complete = (
  method: string,
  result: unknown,
  asked: Parameters<typeof completeAnswer>[2],
) => Promise<unknown>;

/** The methods that fetch a block for those that fetch a transaction of it. */
const blockMethods: Record<string, string> = {
  eth_getTransactionByBlockHashAndIndex: 'eth_getBlockByHash',
  eth_getTransactionByBlockNumberAndIndex: 'eth_getBlockByNumber',
};

/** Completes a result as the specification has it. */
export const complete: Complete = async (method, result, asked) => {
  const blockMethod = blockMethods[method];
  if (blockMethod === undefined || !isObject(result)) {
    return completeAnswer(method, result, asked);
  }
  const [block, transactionIndex] = asked.params;
  const answer = await asked.ask(blockMethod, [block, false]);
  const { hash, number, transactions } = isObject(answer) ? answer : ({} as never);
  const known: Record<PropertyKey, unknown> = {
    hash: Array.isArray(transactions)
      ? transactions[Number(transactionIndex)]
      : undefined,
    // The pending block has no hash yet, and its transactions wait.
    ...(typeof hash === 'string' && {
      blockHash: hash,
      blockNumber: number,
      transactionIndex,
    }),
  };
  const given = Object.entries(result).filter(
    ([name, value]) => value !== null || known[name] === undefined,
  );
  const row = { ...known, ...Object.fromEntries(given) };
  return completeAnswer('eth_getTransactionByHash', row, { ...asked, params: [] });
};
