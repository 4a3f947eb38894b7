// Blocks (spec 2.3) and the rest of what a client of a node does for its caller.
import {
  createRpcClient,
  isRollup,
  nodeSchema,
  toRollupMethod,
} from '../../../../src/client';
import { BlockStruct } from '../../../../src/client/rpc/block';
import { describeRejection, validate } from '../../../../src/parse';
import { block, pendingBlock } from '../../../fixtures/client/block';
import { failureOf } from '../../../support/error-of';
import { createTestNode } from '../../../support/test-node';
import { without } from '../../../support/without';

const HASH = `0x${'ab'.repeat(32)}` as const;

describe('a block', () => {
  const optional = ['totalDifficulty', 'mixHash'];
  const names = Object.keys(block) as (keyof typeof block)[];

  it.each(names.filter((name) => !optional.includes(name)))('needs %s', (name) => {
    const result = validate(without(block, name), BlockStruct);
    const text = 'rejection' in result && describeRejection(result.rejection, 'block');
    expect(text).toMatch(new RegExp(`^block\\.${name} is missing: it must be `, 'u'));
  });

  it.each(optional)('may lack %s', (name) => {
    expect(BlockStruct.is(without(block, name as never))).toBe(true);
  });

  it.each(names)(
    'that is pending may have null for some, and names %s else',
    (name) => {
      const isNull = ['number', 'hash', 'nonce', 'logsBloom', 'totalDifficulty'];
      expect(BlockStruct.is({ ...pendingBlock, [name]: null })).toBe(
        isNull.includes(name),
      );
    },
  );

  it.each(['number', 'nonce', 'logsBloom'])(
    'of the chain has no null for %s',
    (name) => {
      expect(BlockStruct.is({ ...block, [name]: null })).toBe(false);
    },
  );
});

describe('the tag safe', () => {
  it('is refused with what to use in its place', async () => {
    const { node, sent } = createTestNode();
    const ask = (): unknown =>
      node.request('eth_getUncleByBlockNumberAndIndex', ['safe' as never, '0x0']);
    expect((await failureOf(ask)).message).toBe(
      'eth_getUncleByBlockNumberAndIndex: params[0] must be a block number in hex, or one ' +
        'of latest, earliest, pending, finalized (safe is not served: use finalized).',
    );
    expect(sent).toStrictEqual([]);
  });
});

describe('the estimate of a rollup', () => {
  const estimate = {
    baseFeePerGas: '0x7',
    gasLimit: '0x5208',
    priorityFeePerGas: '0x1',
  };

  it.each<[bigint | undefined, string]>([
    [59_144n, 'linea_estimateGas'],
    [59_141n, 'linea_estimateGas'],
    [1n, 'rollup_estimateGas'],
    [undefined, 'rollup_estimateGas'],
  ])('has on chain %s the name %s', async (chainId, method) => {
    const { node, sent } = createTestNode(
      { [method]: estimate, eth_chainId: '0x1' },
      chainId,
    );
    expect(await node.request('rollup_estimateGas', [{}])).toStrictEqual(estimate);
    await node.request('eth_chainId', []);
    expect(sent.map((call) => call.method)).toStrictEqual([method, 'eth_chainId']);
    expect(toRollupMethod(chainId)).toBe(method);
    expect(isRollup(chainId ?? 0n)).toBe(method.startsWith('linea'));
  });

  it('is named as it was sent where its answer is invalid', async () => {
    const { node } = createTestNode({ linea_estimateGas: {} }, 59_144n);
    const { message } = await failureOf(() => node.request('rollup_estimateGas', [{}]));
    expect(message).toMatch(/^linea_estimateGas at It gave an invalid answer: /u);
  });
});

describe('a client', () => {
  it('passes on what may be repeated, and the signal', async () => {
    const { node, sent } = createTestNode({
      eth_chainId: '0x1',
      eth_sendRawTransaction: HASH,
    });
    const { signal } = new AbortController();
    await node.request('eth_chainId', [], { signal });
    await node.request('eth_sendRawTransaction', ['0x02']);
    expect(sent).toStrictEqual([
      { method: 'eth_chainId', params: [], idempotent: true, signal },
      {
        method: 'eth_sendRawTransaction',
        params: ['0x02'],
        idempotent: false,
        signal: undefined,
      },
    ]);
  });

  it('does not know what became of a transaction when the answer is invalid', async () => {
    const { node } = createTestNode({ eth_sendRawTransaction: null });
    expect(
      await failureOf(() => node.request('eth_sendRawTransaction', ['0x02'])),
    ).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        'eth_sendRawTransaction at It gave an invalid answer: ' +
        'result must be a 32-byte value in hex (0x and 64 digits). ' +
        'Whether it was carried out is not known: look before you send it again.',
      context: { mayBeDone: true },
    });
  });

  it.each(['eth_mine', 'toString', '__proto__', '', 7, null, undefined, 1n, {}])(
    'does not know the method %p',
    async (method) => {
      const request = (): Promise<unknown> => Promise.resolve(null);
      const client = createRpcClient(nodeSchema, { label: 'It', request });
      expect(
        await failureOf(() => client.request(method as never, [] as never)),
      ).toStrictEqual({
        name: 'UnsupportedMethodError',
        code: 4200,
        message: 'The client does not know this method.',
        context: {},
      });
    },
  );
});
