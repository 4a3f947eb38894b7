// What a node does not find is null (docs/reference/service.md#errors).
import { answerBy, useNodeBench } from '../../support/service-node';

const start = useNodeBench();

const HASH = `0x${'ab'.repeat(32)}`;

const unknown = new Error('unknown block', {
  cause: { code: -32000, message: 'header not found' },
});
const refused = new Error('refused', { cause: { code: -32000, message: 'Refused.' } });

it.each([
  ['eth_getBlockByHash', [HASH, false]],
  ['eth_getBlockByNumber', ['0x99', false]],
  ['eth_getBlockReceipts', ['0x99']],
  ['eth_getBlockTransactionCountByHash', [HASH]],
  ['eth_getBlockTransactionCountByNumber', ['0x99']],
  ['eth_getTransactionByBlockHashAndIndex', [HASH, '0x0']],
  ['eth_getTransactionByBlockNumberAndIndex', ['0x99', '0x0']],
  ['eth_getUncleByBlockHashAndIndex', [HASH, '0x0']],
  ['eth_getUncleByBlockNumberAndIndex', ['0x99', '0x0']],
  ['eth_getUncleCountByBlockHash', [HASH]],
  ['eth_getUncleCountByBlockNumber', ['0x99']],
])('answers %s of an unknown block with null', async (method, params) => {
  const [missing, failing] = [
    await start(answerBy({ [method]: unknown })),
    await start(answerBy({ [method]: refused })),
  ];
  expect((await missing.call(method, params)).result).toBeNull();
  expect((await failing.call(method, params)).error).toMatchObject({ code: -32000 });
});
